//go:build !purego

#include "textflag.h"

// func fetchBlocks(words *uint64, blocks uint64, shift int, hashes *uint64, n int)
// PREFETCHT0 is part of SSE, which every amd64 machine has: no check is needed.
TEXT ·fetchBlocks(SB), NOSPLIT, $0-40
	MOVQ words+0(FP), DI
	MOVQ blocks+8(FP), R8
	MOVQ shift+16(FP), CX
	MOVQ hashes+24(FP), SI
	MOVQ n+32(FP), R9

loop:
	MOVQ (SI), AX
	MULQ R8
	SHLQ CX, DX
	PREFETCHT0 (DI)(DX*1)
	ADDQ $8, SI
	DECQ R9
	JNZ  loop
	RET
