import { globSync } from 'node:fs'
import { join } from 'node:path'

/** Folders that pages name paths from. */
const PLACES = ['', 'packages/service/src']
/** A path with a folder; without the leading slash of an HTTP path and the @ of a package. */
const PATH = /^[\w.*-]+(\/[\w.*-]+)+\/?$/

/** The paths that a page in Markdown names in backticks, and those that its links lead to. */
export const namedPaths = (page: string): readonly string[] => [
  ...[...page.matchAll(/`([^`\s]+)`/g)].flatMap(([, text = '']) => (PATH.test(text) ? [text] : [])),
  ...[...page.matchAll(/\]\(([^)#:\s]+)(?:#[^)]*)?\)/g)].map(([, target = '']) => target),
]

/** Whether a path exists in the repository: a file, a folder, a module without its ending, or a member of a module. */
export const isPath = (root: string, path: string): boolean => {
  const forms = [path, `${path}.ts`, path.replace(/\.\w+$/, '.ts')]
  return PLACES.some((place) => forms.some((form) => globSync(join(place, form), { cwd: root }).length > 0))
}
