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
; what multiplies numbers of 128 bits, which LLVM makes of some divisions; it must not be made of itself
define hidden void @__multi3(ptr %to, i64 %a, i64 %b, i64 %c, i64 %d) noinline optnone {
  %al = and i64 %a, 4294967295
  %ah = lshr i64 %a, 32
  %cl = and i64 %c, 4294967295
  %ch = lshr i64 %c, 32
  %ll = mul i64 %al, %cl
  %lh = mul i64 %al, %ch
  %hl = mul i64 %ah, %cl
  %hh = mul i64 %ah, %ch
  %llh = lshr i64 %ll, 32
  %lhl = and i64 %lh, 4294967295
  %hll = and i64 %hl, 4294967295
  %some = add i64 %llh, %lhl
  %middle = add i64 %some, %hll
  %above = shl i64 %middle, 32
  %lowest = and i64 %ll, 4294967295
  %low = or i64 %above, %lowest
  %carried = lshr i64 %middle, 32
  %lhh = lshr i64 %lh, 32
  %hlh = lshr i64 %hl, 32
  %high1 = add i64 %hh, %lhh
  %high2 = add i64 %high1, %hlh
  %high3 = add i64 %high2, %carried
  %ad = mul i64 %a, %d
  %bc = mul i64 %b, %c
  %high4 = add i64 %high3, %ad
  %high = add i64 %high4, %bc
  store i64 %low, ptr %to
  %next = getelementptr i64, ptr %to, i32 1
  store i64 %high, ptr %next
  ret void
}
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
