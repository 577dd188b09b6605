//go:build !purego

#include "textflag.h"
#include "go_asm.h"

// The salts of the Parquet format specification.
DATA salts<>+0(SB)/4, $0x47b6137b
DATA salts<>+4(SB)/4, $0x44974d91
DATA salts<>+8(SB)/4, $0x8824ad5b
DATA salts<>+12(SB)/4, $0xa2b7289d
DATA salts<>+16(SB)/4, $0x705495c7
DATA salts<>+20(SB)/4, $0x2df1424b
DATA salts<>+24(SB)/4, $0x9efc4947
DATA salts<>+28(SB)/4, $0x5c6bfb31
GLOBL salts<>(SB), RODATA|NOPTR, $32

// Registers of the batches: DI the blocks, R8 their number, SI the next hash, DX
// the hashes left, R9 how far ahead to fetch in bytes of hashes; Y14 a one in each
// lane, Y15 the salts.

#define ONES(Y) \
	VPCMPEQD Y, Y, Y \
	VPSRLD $31, Y, Y

// OFFSET makes of the high half of a hash in REG the offset of its block.
#define OFFSET(REG) \
	IMULQ R8, REG \
	SHRQ  $32, REG \
	SHLQ  $5, REG

// BLOCK puts the offset of the block of the hash at MEM and 4 bytes on into REG.
#define BLOCK(HIGH, REG) \
	MOVL  HIGH, REG \
	OFFSET(REG)

// MASK puts the bits of the hash at LOW into Y.
#define MASK(LOW, Y) \
	VPBROADCASTD LOW, Y \
	VPMULLD      Y15, Y, Y \
	VPSRLD       $27, Y, Y \
	VPSLLVD      Y, Y14, Y

// FOUND sets the carry if the bits of the hash at LOW, HIGH are all set.
#define FOUND(LOW, HIGH, REG, MASKREG, BITS) \
	BLOCK(HIGH, REG) \
	MASK(LOW, MASKREG) \
	VMOVDQU (DI)(REG*1), BITS \
	VPTEST  MASKREG, BITS

#define FETCH(HIGH, REG) \
	BLOCK(HIGH, REG) \
	PREFETCHT0 (DI)(REG*1)

#define BATCH \
	MOVQ f+0(FP), AX \
	MOVQ Filter_blocks(AX), DI \
	MOVQ Filter_blocks+8(AX), R8 \
	MOVQ hashes+8(FP), SI \
	MOVQ n+16(FP), DX \
	MOVQ ahead+24(FP), R9 \
	VMOVDQU salts<>(SB), Y15 \
	ONES(Y14)

// func addAVX2(f *Filter, hash uint64)
TEXT ·addAVX2(SB), NOSPLIT, $0-16
	MOVQ    f+0(FP), AX
	MOVQ    hash+8(FP), CX
	VMOVQ   CX, X0
	MOVQ    Filter_blocks(AX), DI
	MOVQ    Filter_blocks+8(AX), R8
	VPBROADCASTD X0, Y0
	SHRQ    $32, CX
	OFFSET(CX)
	VPMULLD salts<>(SB), Y0, Y0
	ONES(Y1)
	VPSRLD  $27, Y0, Y0
	VPSLLVD Y0, Y1, Y0
	VPOR    (DI)(CX*1), Y0, Y0
	VMOVDQU Y0, (DI)(CX*1)
	VZEROUPPER
	RET

// func containsAVX2(f *Filter, hash uint64) bool
TEXT ·containsAVX2(SB), NOSPLIT, $0-17
	MOVQ    f+0(FP), AX
	MOVQ    hash+8(FP), CX
	VMOVQ   CX, X0
	MOVQ    Filter_blocks(AX), DI
	MOVQ    Filter_blocks+8(AX), R8
	VPBROADCASTD X0, Y0
	SHRQ    $32, CX
	OFFSET(CX)
	VPMULLD salts<>(SB), Y0, Y0
	ONES(Y1)
	VPSRLD  $27, Y0, Y0
	VPSLLVD Y0, Y1, Y0
	VMOVDQU (DI)(CX*1), Y2
	VPTEST  Y0, Y2
	SETCS   ret+16(FP)
	VZEROUPPER
	RET

// func addBatchAVX2(f *Filter, hashes *uint64, n, ahead int)
TEXT ·addBatchAVX2(SB), NOSPLIT, $0-32
	BATCH
	TESTQ R9, R9
	JZ    near
	SUBQ  R9, DX // the hashes after which there is nothing to fetch
	JLE   last

far:
	FETCH(4(SI)(R9*8), BX)
	BLOCK(4(SI), AX)
	MASK((SI), Y0)
	VPOR    (DI)(AX*1), Y0, Y0
	VMOVDQU Y0, (DI)(AX*1)
	ADDQ    $8, SI
	DECQ    DX
	JNZ     far

last:
	ADDQ R9, DX

near:
	TESTQ DX, DX
	JZ    done

loop:
	BLOCK(4(SI), AX)
	MASK((SI), Y0)
	VPOR    (DI)(AX*1), Y0, Y0
	VMOVDQU Y0, (DI)(AX*1)
	ADDQ    $8, SI
	DECQ    DX
	JNZ     loop

done:
	VZEROUPPER
	RET

// func containsBatchAVX2(f *Filter, hashes *uint64, n, ahead int, found *bool)
TEXT ·containsBatchAVX2(SB), NOSPLIT, $0-40
	BATCH
	MOVQ  found+32(FP), R10
	TESTQ R9, R9
	JZ    near
	SUBQ  R9, DX
	JLE   last

far:
	FETCH(4(SI)(R9*8), BX)
	FOUND((SI), 4(SI), AX, Y0, Y1)
	SETCS (R10)
	ADDQ  $8, SI
	INCQ  R10
	DECQ  DX
	JNZ   far

last:
	ADDQ R9, DX

near:
	SUBQ $4, DX
	JLT  rest

four:
	FOUND((SI), 4(SI), AX, Y0, Y1)
	SETCS (R10)
	FOUND(8(SI), 12(SI), BX, Y2, Y3)
	SETCS 1(R10)
	FOUND(16(SI), 20(SI), CX, Y4, Y5)
	SETCS 2(R10)
	FOUND(24(SI), 28(SI), R11, Y6, Y7)
	SETCS 3(R10)
	ADDQ  $32, SI
	ADDQ  $4, R10
	SUBQ  $4, DX
	JGE   four

rest:
	ADDQ $4, DX
	JZ   done

one:
	FOUND((SI), 4(SI), AX, Y0, Y1)
	SETCS (R10)
	ADDQ  $8, SI
	INCQ  R10
	DECQ  DX
	JNZ   one

done:
	VZEROUPPER
	RET

// func countBatchAVX2(f *Filter, hashes *uint64, n, ahead int) int
TEXT ·countBatchAVX2(SB), NOSPLIT, $0-40
	BATCH
	XORL  R10, R10
	TESTQ R9, R9
	JZ    near
	SUBQ  R9, DX
	JLE   last

far:
	FETCH(4(SI)(R9*8), BX)
	FOUND((SI), 4(SI), AX, Y0, Y1)
	ADCQ $0, R10
	ADDQ $8, SI
	DECQ DX
	JNZ  far

last:
	ADDQ R9, DX

near:
	SUBQ $4, DX
	JLT  rest

four:
	FOUND((SI), 4(SI), AX, Y0, Y1)
	ADCQ $0, R10
	FOUND(8(SI), 12(SI), BX, Y2, Y3)
	ADCQ $0, R10
	FOUND(16(SI), 20(SI), CX, Y4, Y5)
	ADCQ $0, R10
	FOUND(24(SI), 28(SI), R11, Y6, Y7)
	ADCQ $0, R10
	ADDQ $32, SI
	SUBQ $4, DX
	JGE  four

rest:
	ADDQ $4, DX
	JZ   done

one:
	FOUND((SI), 4(SI), AX, Y0, Y1)
	ADCQ $0, R10
	ADDQ $8, SI
	DECQ DX
	JNZ  one

done:
	MOVQ R10, ret+32(FP)
	VZEROUPPER
	RET
