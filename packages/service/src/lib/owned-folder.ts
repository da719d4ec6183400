import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A folder in the system's temporary folder; its name contains the id of the process that opened it. */
export type OwnedFolder = {
  readonly path: string
  /** Deletes the folder with its content; may be called twice. */
  readonly remove: () => void
}

const removeTree = (path: string): void => rmSync(path, { recursive: true, force: true, maxRetries: 3 })

const isRunning = (processId: number): boolean => {
  try {
    process.kill(processId, 0)
    return true
  } catch (error) {
    // EPERM: the process runs as another user.
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH')
  }
}

/** Deletes folders of this name whose processes were killed before they could do so. */
const sweep = (name: string): void => {
  for (const entry of readdirSync(tmpdir())) {
    const owner = entry.startsWith(`${name}-`) ? /^(\d+)-/.exec(entry.slice(name.length + 1))?.[1] : undefined
    if (owner === undefined || isRunning(Number(owner))) continue
    try {
      removeTree(join(tmpdir(), entry))
    } catch {
      // A folder of another user, which that user has to delete.
    }
  }
}

/**
 * Opens a folder for temporary files of this process, and deletes those of the same name whose processes have ended.
 */
export const openOwnedFolder = (name: string): OwnedFolder => {
  sweep(name)
  const path = mkdtempSync(join(tmpdir(), `${name}-${process.pid}-`))
  return { path, remove: () => removeTree(path) }
}
