import { execFile, execFileSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'

const CRUISER = join(import.meta.dirname, 'node_modules/.bin/depcruise')
const CONFIG = join(import.meta.dirname, 'dependency-cruiser.cjs')
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024

const Cruise = z.object({
  summary: z.object({
    totalCruised: z.int(),
    totalDependenciesCruised: z.int(),
    violations: z.array(
      z.object({
        from: z.string(),
        to: z.string(),
        rule: z.object({ name: z.string() }),
        cycle: z.array(z.object({ name: z.string() })).optional(),
      }),
    ),
  }),
})

/** The number of modules and imports read, and the imports that break a rule. */
export type Cruise = z.infer<typeof Cruise>['summary']

const Config = z.object({ forbidden: z.array(z.object({ name: z.string(), comment: z.string() })) })

/** Each rule's description, by its name. */
export const readRules = (): ReadonlyMap<string, string> => {
  const { forbidden } = Config.parse(createRequire(import.meta.url)(CONFIG))
  return new Map(forbidden.map(({ name, comment }) => [name, comment]))
}

/** Installs a folder's locked packages, unless they are newer than the lock file. */
export const installTools = (folder = import.meta.dirname): void => {
  const lock = join(folder, 'package-lock.json')
  const installed = join(folder, 'node_modules/.package-lock.json')
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(lock).mtimeMs) return
  execFileSync('npm', ['ci', '--silent'], { cwd: folder, stdio: 'inherit' })
}

/** Reads all modules in folders of a repository. Throws when dependency-cruiser cannot run. */
export const cruise = async (root: string, folders: readonly string[]): Promise<Cruise> => {
  const words = [CRUISER, '--config', CONFIG, '--output-type', 'json', ...folders]
  const { stdout } = await promisify(execFile)(process.execPath, words, {
    cwd: root,
    maxBuffer: MAX_OUTPUT_BYTES,
  })
  return Cruise.parse(JSON.parse(stdout)).summary
}
