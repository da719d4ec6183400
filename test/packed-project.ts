import { type ExecFileOptions, execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { publint } from 'publint'

const ROOT = join(import.meta.dirname, '..')
const INSTALL_DEADLINE_MS = 300_000

/** What a command printed. */
type Printed = { readonly stdout: string; readonly stderr: string }

/** Runs a program without the conditions and options of this process. Rejects with all it printed when it fails. */
const runProgram = async (
  program: string,
  words: readonly string[],
  options: ExecFileOptions,
): Promise<Printed> => {
  const { NODE_OPTIONS: _, NODE_COMPILE_CACHE: __, ...environment } = process.env
  try {
    const env = { ...environment, ...options.env }
    const { stdout, stderr } = await promisify(execFile)(program, words, {
      ...options,
      env,
      encoding: 'utf8',
    })
    return { stdout, stderr }
  } catch (error) {
    const { stdout = '', stderr = '' } = Object(error)
    throw new Error(`${program} ${words.join(' ')} failed:\n${stdout}\n${stderr}`, { cause: error })
  }
}

const npm = (words: readonly string[], cwd: string): Promise<Printed> =>
  runProgram('npm', words, { cwd, timeout: INSTALL_DEADLINE_MS })

/** A project of somebody else: a folder outside the repository that knows nothing but what it installs. */
export type PackedProject = {
  readonly path: string
  readonly write: (file: string, text: string) => void
  /** Installs packages by name and exact version, or tarballs by path. Rejects when the npm registry cannot be reached. */
  readonly install: (...packages: readonly string[]) => Promise<void>
  /** The names of all packages that are installed. */
  readonly installed: () => readonly string[]
  readonly run: (program: string, ...words: readonly string[]) => Promise<string>
  readonly remove: () => void
}

const RUN_DEADLINE_MS = 120_000

/** An empty project of ES modules. */
export const createPackedProject = (): PackedProject => {
  const path = mkdtempSync(join(tmpdir(), 'openrfq-project-'))
  const write = (file: string, text: string): void => writeFileSync(join(path, file), text)
  write('package.json', JSON.stringify({ name: 'somebody-elses', private: true, type: 'module' }))
  return {
    path,
    write,
    install: async (...packages) => {
      await npm(['install', '--no-audit', '--no-fund', '--prefer-offline', '--save-exact', ...packages], path)
    },
    installed: () => {
      const { packages } = JSON.parse(readFileSync(join(path, 'node_modules/.package-lock.json'), 'utf8'))
      return Object.keys(packages).map((folder) => folder.replace(/^.*node_modules\//, ''))
    },
    run: async (program, ...words) =>
      (await runProgram(program, words, { cwd: path, timeout: RUN_DEADLINE_MS })).stdout,
    remove: () => rmSync(path, { recursive: true, force: true }),
  }
}

/** A package of the repository as `npm publish` would send it: the tarball's path, and the files in it. */
export const packPackage = async (
  name: string,
  destination: string,
): Promise<{ readonly tarball: string; readonly files: readonly string[] }> => {
  const words = ['pack', '--json', '--pack-destination', destination]
  const { stdout } = await npm(words, join(ROOT, 'packages', name))
  // The output of the scripts that build the package goes before the report.
  const [report] = JSON.parse(stdout.slice(stdout.search(/^\[$/m)))
  const files: readonly { readonly path: string }[] = report.files
  return { tarball: join(destination, report.filename), files: files.map(({ path }) => path) }
}

/**
 * Rejects with what publint and attw complain about when a packed package is not what its package.json says. Tests of the
 * repository import a package's tests under the condition of its clone; nobody else can, so that they need not be packed.
 */
export const lintTarball = async (tarball: string): Promise<void> => {
  const bytes = readFileSync(tarball)
  const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength)
  const { messages } = await publint({ pack: { tarball: buffer }, strict: true })
  const complaints = messages.filter(
    ({ path }) => !(path.includes('./test/*') && path.includes('openrfq-source')),
  )
  if (complaints.length > 0) throw new Error(JSON.stringify(complaints, null, 2))
  const attw = join(ROOT, 'node_modules/.bin/attw')
  const words = [tarball, '--profile', 'esm-only', '--format', 'ascii']
  await runProgram(attw, words, { cwd: ROOT, timeout: INSTALL_DEADLINE_MS })
}
