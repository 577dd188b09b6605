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

// A one in each lane.
DATA ones<>+0(SB)/8, $0x0000000100000001
DATA ones<>+8(SB)/8, $0x0000000100000001
DATA ones<>+16(SB)/8, $0x0000000100000001
DATA ones<>+24(SB)/8, $0x0000000100000001
GLOBL ones<>(SB), RODATA|NOPTR, $32

// Registers of the batches: DI the blocks, R8 their number, SI the next hash, DX
// the hashes left, R9 how far ahead to fetch in bytes of hashes; Y14 a one in each
// lane, Y15 the salts.

// BLOCK puts the offset of the block of the hash whose high half is at HIGH into
// REG.
#define BLOCK(HIGH, REG) \
	MOVL  HIGH, REG \
	IMULQ R8, REG \
	SHRQ  $32, REG \
	SHLQ  $5, REG

// MASK puts the bits of the hash at LOW into Y.
#define MASK(LOW, Y) \
	VPBROADCASTD LOW, Y \
	VPMULLD      Y15, Y, Y \
	VPSRLD       $27, Y, Y \
	VPSLLVD      Y, Y14, Y

// FOUND sets the carry if the bits of the hash at LOW, HIGH are all set. The other
// arguments are registers it may use.
#define FOUND(LOW, HIGH, REG, MASKREG, BITS) \
	BLOCK(HIGH, REG) \
	MASK(LOW, MASKREG) \
	VMOVDQU (DI)(REG*1), BITS \
	VPTEST  MASKREG, BITS

// FETCH has the block of the hash whose high half is at HIGH brought into the cache.
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
	VMOVDQU ones<>(SB), Y14

// ONE puts the bits of the hash whose low half is in X0 into Y0, and the offset of
// its block into CX, where its high half is; R9 is the filter, DI its blocks.
#define ONE \
	MOVQ         Filter_blocks(R9), DI \
	VPBROADCASTD X0, Y0 \
	IMULQ        Filter_blocks+8(R9), CX \
	VPMULLD      salts<>(SB), Y0, Y0 \
	SHRQ         $32, CX \
	VMOVDQU      ones<>(SB), Y1 \
	SHLQ         $5, CX \
	VPSRLD       $27, Y0, Y0 \
	VPSLLVD      Y0, Y1, Y0

// func addAVX2(f *Filter, hash uint64)
TEXT ·addAVX2(SB), NOSPLIT, $0-16
	MOVQ    f+0(FP), R9
	MOVQ    hash+8(FP), CX
	VMOVQ   CX, X0
	SHRQ    $32, CX
	ONE
	VPOR    (DI)(CX*1), Y0, Y0
	VMOVDQU Y0, (DI)(CX*1)
	VZEROUPPER
	RET

// func containsHash(f *Filter, hash uint64) bool
TEXT ·containsHash(SB), NOSPLIT, $0-17
	CMPB    ·useAVX2(SB), $0
	JEQ     portable
	MOVQ    f+0(FP), R9
	MOVQ    hash+8(FP), CX
	VMOVQ   CX, X0
	SHRQ    $32, CX
	ONE
	VMOVDQU (DI)(CX*1), Y2
	VPTEST  Y0, Y2
	SETCS   ret+16(FP)
	VZEROUPPER
	RET

portable:
	JMP ·containsHashPortable(SB)

// func containsBytes(f *Filter, key *byte, n int) bool
TEXT ·containsBytes(SB), NOSPLIT, $0-25
	CMPB ·useAVX2(SB), $0
	JEQ  portable
	MOVQ f+0(FP), R9
	MOVQ n+16(FP), R10
	LEAQ -9(R10), CX
	CMPQ CX, (Filter_inline+inlineXXH3_lengths)(R9)
	JCC  portable
	MOVQ key+8(FP), SI

	// XXH3 of 9 to 16 bytes: the first eight, flipped, in AX, the last in BX.
	MOVQ   (SI), AX
	MOVQ   -8(SI)(R10*1), BX
	XORQ   (Filter_inline+inlineXXH3_low)(R9), AX
	XORQ   (Filter_inline+inlineXXH3_high)(R9), BX
	MOVQ   AX, CX
	BSWAPQ CX
	ADDQ   R10, CX
	ADDQ   BX, CX
	MULQ   BX
	XORQ   DX, AX
	ADDQ   CX, AX
	MOVQ   $0x165667919E3779F9, DX
	MOVQ   AX, CX
	SHRQ   $37, CX
	XORQ   CX, AX
	IMULQ  DX, AX
	MOVQ   AX, CX
	SHRQ   $32, CX
	XORL   CX, AX // the high half stays as it is

	VMOVD   AX, X0
	ONE
	VMOVDQU (DI)(CX*1), Y2
	VPTEST  Y0, Y2
	SETCS   ret+24(FP)
	VZEROUPPER
	RET

portable:
	JMP ·containsBytesPortable(SB)

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
