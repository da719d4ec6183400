import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { abiModules } from './abi-modules.ts'
import { compileContracts } from './compile.ts'
import { orderVectors } from './order-vectors.ts'
import { compileProgram, compilerVersion } from './solana/compile-program.ts'

const artifacts = compileContracts()

const write = (folder: string, texts: ReadonlyMap<string, string>, extension: string): void => {
  rmSync(join(import.meta.dirname, folder), { recursive: true, force: true })
  for (const [name, text] of texts) {
    const file = join(import.meta.dirname, folder, `${name}${extension}`)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
}

write('artifacts', artifacts, '.json')
write('src/abis', abiModules(artifacts), '')
write('vectors', new Map([['orders', orderVectors()]]), '.json')

if (compilerVersion() === undefined)
  console.warn('clang-19 is not installed: solana/escrow.so stays as it is')
else writeFileSync(join(import.meta.dirname, 'solana/escrow.so'), compileProgram())
