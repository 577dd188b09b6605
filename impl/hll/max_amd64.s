//go:build !purego

#include "textflag.h"

// func maxVector(dst, src *byte, n int)
// PMAXUB is part of SSE2, which every amd64 machine has: no check is needed.
TEXT ·maxVector(SB), NOSPLIT, $0-24
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ n+16(FP), CX
	SHRQ $6, CX
	JZ   tail

block:
	MOVOU  (DI), X0
	MOVOU  16(DI), X1
	MOVOU  32(DI), X2
	MOVOU  48(DI), X3
	MOVOU  (SI), X4
	MOVOU  16(SI), X5
	MOVOU  32(SI), X6
	MOVOU  48(SI), X7
	PMAXUB X4, X0
	PMAXUB X5, X1
	PMAXUB X6, X2
	PMAXUB X7, X3
	MOVOU  X0, (DI)
	MOVOU  X1, 16(DI)
	MOVOU  X2, 32(DI)
	MOVOU  X3, 48(DI)
	ADDQ   $64, DI
	ADDQ   $64, SI
	DECQ   CX
	JNZ    block

tail:
	MOVQ n+16(FP), CX
	ANDQ $63, CX
	SHRQ $4, CX
	JZ   done

rest:
	MOVOU  (DI), X0
	MOVOU  (SI), X4
	PMAXUB X4, X0
	MOVOU  X0, (DI)
	ADDQ   $16, DI
	ADDQ   $16, SI
	DECQ   CX
	JNZ    rest

done:
	RET
