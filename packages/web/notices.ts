import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const PACKAGE = /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/
const LICENCE = /^(licen[cs]e|notice|copying)([.-]|$)/i

/**
 * The licences of the packages that the given source files belong to, by name: what a copy of a bundle has to carry. Paths
 * are relative to `folder`; files outside `node_modules` are our own. Throws Error for a package without a licence file.
 */
export const noticesOf = (folder: string, sources: readonly string[]): string => {
  const packages = new Set(sources.flatMap((source) => PACKAGE.exec(source)?.[0] ?? []))
  const notices = [...packages].map((path) => noticeOf(join(folder, path)))
  return [...new Set(notices)].toSorted((one, other) => (one < other ? -1 : 1)).join(SEPARATOR)
}

const SEPARATOR = `\n${'-'.repeat(80)}\n\n`

const noticeOf = (path: string): string => {
  const { name, version, license } = Object(JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')))
  const files = readdirSync(path).filter((file) => LICENCE.test(file))
  if (files.length === 0) throw new Error(`${name} has no licence file`)
  const texts = files.toSorted().map((file) => readFileSync(join(path, file), 'utf8').trim())
  return `${name} ${version} (${license})\n\n${texts.join('\n\n')}\n`
}
