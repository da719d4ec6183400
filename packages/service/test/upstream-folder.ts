import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { WRITTEN_FOR } from '../src/registry/upstream.ts'

/** Writes the references of Axelar's repositories as `git ls-remote` prints them: those that the service was written for, unless given. */
export const writeUpstream = (
  folder: string,
  moved: Readonly<Partial<Record<keyof typeof WRITTEN_FOR, readonly string[]>>> = {},
): void => {
  const known: Readonly<Record<string, readonly string[] | undefined>> = moved
  for (const [repository, tag] of Object.entries(WRITTEN_FOR)) {
    const isCommit = /^[0-9a-f]{40}$/.test(tag)
    const commit = isCommit && known[repository] === undefined ? tag : 'a'.repeat(40)
    const references = known[repository] ?? [isCommit ? 'refs/heads/main' : `refs/tags/${tag}`]
    const lines = references.map((reference) => `${commit}\t${reference}\n`)
    writeFileSync(join(folder, repository), lines.join(''))
  }
}
