import { type ExecFileOptions, execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { publint } from 'publint'

const ROOT = join(import.meta.dirname, '..')
const INSTALL_DEADLINE_MS = 300_000

/** A command's output. */
type Printed = { readonly stdout: string; readonly stderr: string }

/** Runs a program without this process's conditions and options. Rejects with its whole output when it fails. */
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

/** A project outside the repository, with nothing installed but its own dependencies. */
export type PackedProject = {
  readonly path: string
  readonly write: (file: string, text: string) => void
  /**
   * Installs packages by name and exact version, or tarballs by path. Rejects when the npm registry cannot be reached.
   */
  readonly install: (...packages: readonly string[]) => Promise<void>
  /** Has the project use the repository's own copies of packages, after the last `install`. */
  readonly link: (...names: readonly string[]) => void
  /** Names of all installed packages. */
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
    link: (...names) => {
      for (const name of names) {
        const place = join(path, 'node_modules', name)
        rmSync(place, { recursive: true, force: true })
        mkdirSync(dirname(place), { recursive: true })
        symlinkSync(join(ROOT, 'node_modules', name), place)
      }
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

/** Packs a package as `npm publish` would. Returns the tarball's path and its files. */
export const packPackage = async (
  name: string,
  destination: string,
): Promise<{ readonly tarball: string; readonly files: readonly string[] }> => {
  const words = ['pack', '--json', '--pack-destination', destination]
  const { stdout } = await npm(words, join(ROOT, 'packages', name))
  // Build scripts print before the report.
  const [report] = JSON.parse(stdout.slice(stdout.search(/^\[$/m)))
  const files: readonly { readonly path: string }[] = report.files
  return { tarball: join(destination, report.filename), files: files.map(({ path }) => path) }
}

type Target = string | { readonly [condition: string]: Target }

const pathsOf = (target: Target): readonly string[] =>
  typeof target === 'string' ? [target] : Object.values(target).flatMap(pathsOf)

/** Paths in the `exports` of a package, under any condition, that name none of its packed files. */
export const findUnpackedExports = (name: string, files: readonly string[]): readonly string[] => {
  const manifest = JSON.parse(readFileSync(join(ROOT, 'packages', name, 'package.json'), 'utf8'))
  return pathsOf(manifest.exports).filter((path) => {
    const [start = '', end] = path.replace(/^\.\//, '').split('*')
    return !files.some((file) =>
      end === undefined ? file === start : file.startsWith(start) && file.endsWith(end),
    )
  })
}

/** Rejects with the problems that publint and attw find in a packed package. */
export const lintTarball = async (tarball: string): Promise<void> => {
  const bytes = readFileSync(tarball)
  const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength)
  const { messages } = await publint({ pack: { tarball: buffer }, strict: true })
  if (messages.length > 0) throw new Error(JSON.stringify(messages, null, 2))
  const attw = join(ROOT, 'node_modules/.bin/attw')
  const words = [tarball, '--profile', 'esm-only', '--format', 'ascii']
  await runProgram(attw, words, { cwd: ROOT, timeout: INSTALL_DEADLINE_MS })
}
