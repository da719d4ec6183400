import type * as z from 'zod/mini'

type Issue = z.core.$ZodIssue
type Path = readonly PropertyKey[]

/**
 * Describes the first problem of a value in one line: its path and the expected value. Of a union, the member whose
 * problem lies deepest is taken as the intended one.
 */
export const describeIssue = (issues: readonly Issue[]): string => {
  const [issue] = issues
  if (issue === undefined) return 'not valid'
  const { path, issue: deepest } = deepestOf(issue, [])
  return `${path.length === 0 ? 'the body' : `"${path.join('.')}"`}: ${expectedBy(deepest)}`
}

type Place = { readonly path: Path; readonly issue: Issue }

const isBetter = (next: Place, known: Place): boolean =>
  next.path.length > known.path.length || known.issue.code === 'invalid_union'

const deepestOf = (issue: Issue, parent: Path): Place => {
  const path = [...parent, ...issue.path]
  const inner = issue.code === 'invalid_union' ? issue.errors.flatMap(([first]) => first ?? []) : []
  return inner
    .map((member) => deepestOf(member, path))
    .reduce((deepest, next) => (isBetter(next, deepest) ? next : deepest), { path, issue })
}

const expectedBy = (issue: Issue): string => {
  if (issue.code === 'invalid_type') return `expected ${issue.expected}`
  if (issue.code === 'invalid_value') return `expected ${issue.values.map(String).join(' or ')}`
  if (issue.code === 'invalid_format') return `expected text like ${issue.pattern ?? issue.format}`
  return issue.message
}
