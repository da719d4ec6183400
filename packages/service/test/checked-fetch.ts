import assert from 'node:assert/strict'
import { assertDescribed } from './described-answer.ts'
import { assertDocumented } from './documented-answer.ts'

/** What a service answered: checks that have not ended, and what was wrong. */
type Answers = { readonly pending: Set<Promise<void>>; readonly wrong: string[] }

/** The services whose answers are checked, by origin. */
const checked = new Map<string, Answers>()
let isInstalled = false

const METHODS: ReadonlyMap<string, 'get' | 'post'> = new Map([
  ['GET', 'get'],
  ['POST', 'post'],
])

/** Holds one answer against the descriptions, and keeps what differs. */
const check = async (
  url: string,
  method: 'get' | 'post',
  response: Response,
  wrong: string[],
): Promise<void> => {
  try {
    const body: unknown = await response.json()
    assertDocumented(url, response.status, body)
    assertDescribed(url, method, response.status, body)
  } catch (error) {
    // A body that its reader stopped reading, as after a deadline, says nothing.
    if (error instanceof assert.AssertionError) wrong.push(error.message)
  }
}

const isJson = ({ headers }: Response): boolean =>
  headers.get('content-type')?.startsWith('application/json') === true

const install = (): void => {
  if (isInstalled) return
  isInstalled = true
  const fetchAsBefore = globalThis.fetch
  globalThis.fetch = async (input, init) => {
    const response = await fetchAsBefore(input, init)
    const url = input instanceof Request ? input.url : String(input)
    const method = METHODS.get(
      (init?.method ?? (input instanceof Request ? input.method : 'GET')).toUpperCase(),
    )
    const answers = checked.get(new URL(url).origin)
    if (answers === undefined || method === undefined || !isJson(response)) return response
    const checking = check(url, method, response.clone(), answers.wrong)
    answers.pending.add(checking)
    void checking.finally(() => answers.pending.delete(checking))
    return response
  }
}

/**
 * Checks every answer that this process fetches from a service, by any client, against the SDK's schemas and openapi.json.
 * Returns what ends it, and rejects with AssertionError if an answer differed.
 */
export const checkAnswersOf = (url: string): (() => Promise<void>) => {
  install()
  const { origin } = new URL(url)
  const answers: Answers = { pending: new Set(), wrong: [] }
  checked.set(origin, answers)
  return async () => {
    await Promise.all(answers.pending)
    checked.delete(origin)
    assert.deepEqual(answers.wrong, [], `${origin} answered what is not described`)
  }
}
