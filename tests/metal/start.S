/* Start-up of a Cortex-M7 with a double precision FPU, and the stack probe. */
    .syntax unified
    .cpu cortex-m7
    .thumb

    .section .vectors, "a"
    .word stack_top
    .word reset
    .rept 14            /* NMI to SysTick: none of them is expected */
    .word fault
    .endr

    .text
    .global reset
    .thumb_func
    .type reset, %function
reset:
    ldr r0, =0xE000ED88 /* CPACR: full access to coprocessors 10 and 11 */
    ldr r1, [r0]
    orr r1, r1, #(0xF << 20)
    str r1, [r0]
    dsb
    isb
    bl metal_main
    b .

/* void paint_stack(void): fills all of the stack below the caller. */
    .global paint_stack
    .thumb_func
    .type paint_stack, %function
paint_stack:
    ldr r0, =stack_limit
    ldr r1, =0xC5C5C5C5
    ldr r2, =stack_mark
    str sp, [r2]
    mov r2, sp
1:  cmp r0, r2
    it lo
    strlo r1, [r0], #4
    blo 1b
    bx lr

/* size_t stack_used(void): bytes below the caller of paint_stack that were
   written since; all of them if the last word was. */
    .global stack_used
    .thumb_func
    .type stack_used, %function
stack_used:
    ldr r1, =stack_limit
    ldr r2, =0xC5C5C5C5
    ldr r0, =stack_mark
    ldr r0, [r0]
2:  cmp r1, r0
    bhs 3f
    ldr r3, [r1]
    cmp r3, r2
    bne 3f
    adds r1, #4
    b 2b
3:  subs r0, r0, r1
    bx lr

/* void known_loop(void): 2000 instructions and the two around them. */
    .global known_loop
    .thumb_func
    .type known_loop, %function
known_loop:
    mov r0, #1000
4:  subs r0, #1
    bne 4b
    bx lr

    .bss
    .align 2
stack_mark:
    .space 4
