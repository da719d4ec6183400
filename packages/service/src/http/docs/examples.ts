import { RECORDINGS, type Recording } from '../openapi/recordings.ts'
import type { Operation } from '../operation.ts'
import { code, details } from './markup.ts'

/** The recorded requests and answers of an operation, as examples with names. */
export const examplesOf = (operation: Operation): string =>
  RECORDINGS.filter(({ operationId }) => operationId === operation.operationId)
    .map((recording) =>
      details(
        `<code>${recording.name}</code> <span class="flag">${recording.status}</span>`,
        code(curlOf(operation, recording)) + code(textOf(recording)),
      ),
    )
    .join('\n')

/** The answer as it is shown: the events of a stream are text already. */
export const textOf = ({ answer }: Recording): string =>
  typeof answer === 'string' ? answer : JSON.stringify(answer, null, 2)

const curlOf = ({ method, path }: Operation, { query, body }: Recording): string => {
  const text = new URLSearchParams(query).toString()
  const url = `"$BASE_URL${path}${text === '' ? '' : `?${text}`}"`
  if (body === undefined) return `curl ${url}`
  return `curl -X ${method} ${url} -H 'content-type: application/json' -d '${JSON.stringify(body, null, 2)}'`
}
