// See Registers.h.

// Each register gets a number of its own before the call, and is compared with it after.

.macro save_registers
  stp x29, x30, [sp, #-176]!
  mov x29, sp
  stp x19, x20, [sp, #16]
  stp x21, x22, [sp, #32]
  stp x23, x24, [sp, #48]
  stp x25, x26, [sp, #64]
  stp x27, x28, [sp, #80]
  stp d8, d9, [sp, #96]
  stp d10, d11, [sp, #112]
  stp d12, d13, [sp, #128]
  stp d14, d15, [sp, #144]
  .irp number, 19, 21, 23, 24, 25, 26, 27, 28
  mov x\number, #(1000 + \number)
  .endr
  .irp number, 8, 9, 10, 11, 12, 13, 14, 15
  mov x9, #(2000 + \number)
  fmov d\number, x9
  .endr
.endm

.macro count_changed
  mov x0, #0
  .irp number, 19, 21, 23, 24, 25, 26, 27, 28
  cmp x\number, #(1000 + \number)
  cinc x0, x0, ne
  .endr
  .irp number, 8, 9, 10, 11, 12, 13, 14, 15
  fmov x9, d\number
  cmp x9, #(2000 + \number)
  cinc x0, x0, ne
  .endr
  ldp x19, x20, [sp, #16]
  ldp x21, x22, [sp, #32]
  ldp x23, x24, [sp, #48]
  ldp x25, x26, [sp, #64]
  ldp x27, x28, [sp, #80]
  ldp d8, d9, [sp, #96]
  ldp d10, d11, [sp, #112]
  ldp d12, d13, [sp, #128]
  ldp d14, d15, [sp, #144]
  ldp x29, x30, [sp], #176
  ret
.endm

.text
.globl call_switch
.type call_switch, %function
call_switch:
  save_registers
  mov x22, x0
  mov x0, x1
  mov x1, x2
  mov x2, x3
  bl swift_task_switch
  count_changed
.size call_switch, . - call_switch

.globl call_resume
.type call_resume, %function
call_resume:
  save_registers
  mov x22, x0
  blr x1
  count_changed
.size call_resume, . - call_resume

.section .note.GNU-stack, "", %progbits
