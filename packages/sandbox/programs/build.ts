import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { compileProgram, compilerVersion } from '../../contracts/solana/compile-program.ts'

export { compilerVersion }

/** Compiles the programs that play Axelar on Solana, and returns the file to load. Throws Error as `compileProgram`. */
export const compileAxelar = (): Buffer =>
  compileProgram(import.meta.dirname, ['-Wno-address-of-packed-member'], {
    source: 'axelar.c',
    syscalls: '../../contracts/solana/syscalls.h',
  })

if (import.meta.main) {
  if (compilerVersion() === undefined) console.warn('clang-19 is not installed: axelar.so stays as it is')
  else writeFileSync(join(import.meta.dirname, 'axelar.so'), compileAxelar())
}
