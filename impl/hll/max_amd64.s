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

// func maxVector32(dst, src *byte, n int)
// The same in registers of 32 bytes, for n a multiple of 128. The machine has AVX2.
TEXT ·maxVector32(SB), NOSPLIT, $0-24
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ n+16(FP), CX
	SHRQ $7, CX
	JZ   end

wide:
	VMOVDQU (DI), Y0
	VMOVDQU 32(DI), Y1
	VMOVDQU 64(DI), Y2
	VMOVDQU 96(DI), Y3
	VPMAXUB (SI), Y0, Y0
	VPMAXUB 32(SI), Y1, Y1
	VPMAXUB 64(SI), Y2, Y2
	VPMAXUB 96(SI), Y3, Y3
	VMOVDQU Y0, (DI)
	VMOVDQU Y1, 32(DI)
	VMOVDQU Y2, 64(DI)
	VMOVDQU Y3, 96(DI)
	ADDQ    $128, DI
	ADDQ    $128, SI
	DECQ    CX
	JNZ     wide
	VZEROUPPER

end:
	RET
