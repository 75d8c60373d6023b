; numba's runtime, as far as rules need it: arrays that a call makes lie in an arena, which every exported call begins anew.
@used = internal global i32 0
@arena = internal global [65536 x i8] zeroinitializer, align 64
declare void @llvm.trap()
define void @NRT_MemInfo_call_dtor(ptr %info) {
  ret void
}
define ptr @NRT_MemInfo_alloc_aligned(i64 %size, i32 %align) {
  %from = load i32, ptr @used
  %bytes = trunc i64 %size to i32
  %more = add i32 %bytes, 127
  %whole = and i32 %more, -64
  %to = add i32 %from, %whole
  %fits = icmp ule i32 %to, 65536
  br i1 %fits, label %there, label %full
full:
  call void @llvm.trap()
  unreachable
there:
  store i32 %to, ptr @used
  %info = getelementptr i8, ptr @arena, i32 %from
  %data = getelementptr i8, ptr %info, i32 64
  store i64 1, ptr %info
  %place = getelementptr {i64, ptr, ptr, ptr, i64}, ptr %info, i32 0, i32 3
  store ptr %data, ptr %place
  ret ptr %info
}
; -- an exported function: it calls numba's, whose result and exception are written where its first arguments say
; --
declare i32 @"{symbol}"(ptr, ptr, {types})
define {result} @{name}({arguments}) {{
  %result = alloca {result}
  %error = alloca ptr
  store i32 0, ptr @used
  %status = call i32 @"{symbol}"(ptr %result, ptr %error, {arguments})
  %fails = icmp ne i32 %status, 0
  br i1 %fails, label %bad, label %good
bad:
  call void @llvm.trap()
  unreachable
good:
  %value = load {result}, ptr %result
  ret {result} %value
}}
