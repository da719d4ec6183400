import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { link } from './link.ts'

const COMPILER = 'clang-19'
/** Another version makes another program of the same source. */
const VERSION = '19.1.7'

/**
 * -mcpu=v2 has no 32-bit arithmetic, which sBPF v3 and clang understand differently; each frame of the stack has 4,096
 * bytes.
 */
const OPTIONS = [
  ...['-target', 'bpfel', '-mcpu=v2', '-mllvm', '-bpf-stack-size=4096', '-std=c17', '-Oz'],
  ...['-Wall', '-Wextra', '-Werror', '-ffreestanding', '-fno-builtin', '-fno-strict-aliasing'],
  ...['-fno-stack-protector', '-fno-ident', '-fno-asynchronous-unwind-tables'],
]

const ESCROW = { source: 'escrow.c', syscalls: 'syscalls.h' } as const
const SYSCALL = /\(\*const (sol_\w+)\)/g

/** The version of the installed compiler; undefined when there is none. */
export const compilerVersion = (): string | undefined => {
  try {
    return /version (\d+\.\d+\.\d+)/.exec(execFileSync(COMPILER, ['--version'], { encoding: 'utf8' }))?.[1]
  } catch {
    return undefined
  }
}

/**
 * Compiles a program, by default the escrow program of its folder, and returns the file to deploy. Throws Error when the compiler
 * is missing, has another version, or refuses the source; `options` come behind the compiler's other options, and `syscalls` is the
 * path of `syscalls.h` from the folder.
 */
export const compileProgram = (
  folder: string = import.meta.dirname,
  options: readonly string[] = [],
  { source, syscalls: header }: { readonly source: string; readonly syscalls: string } = ESCROW,
): Buffer => {
  const version = compilerVersion()
  if (version !== VERSION)
    throw new Error(
      `expected ${COMPILER} ${VERSION}, found ${version ?? 'none'}: apt-get install ${COMPILER} on Debian 12`,
    )
  const work = mkdtempSync(join(tmpdir(), 'openrfq-program-'))
  try {
    const object = join(work, 'program.o')
    execFileSync(COMPILER, [...OPTIONS, ...options, '-c', source, '-o', object], {
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: 120_000,
    })
    const declarations = readFileSync(join(folder, header), 'utf8')
    const syscalls = [...declarations.matchAll(SYSCALL)].map(([, name = '']) => name)
    return link(readFileSync(object), syscalls)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}
