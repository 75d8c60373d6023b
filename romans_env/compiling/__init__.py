"""The compiler: decorators, the cache of machine code, tables for compiled code, and templates of loops."""
