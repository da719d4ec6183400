import assert from 'node:assert/strict'
import { ErrorBody } from '@openrfq/sdk'

/** Sends requests to one server; every method resolves with fetch's response. */
export type Asker = {
  readonly get: (path: string, headers?: Readonly<Record<string, string>>) => Promise<Response>
  readonly post: (path: string, body: string, headers?: Readonly<Record<string, string>>) => Promise<Response>
}

/** Creates an asker. `url` is called for each request, because tests start the server later. */
export const createAsker = (url: () => string): Asker => ({
  get: (path, headers = {}) => fetch(url() + path, { headers, redirect: 'manual' }),
  post: (path, body, headers = {}) =>
    fetch(url() + path, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', ...headers },
    }),
})

/** Asserts that a response is the interface's error body with this status and code. Returns its error. */
export const assertError = async (
  response: Response,
  status: number,
  code: string,
  message = /./,
): Promise<ErrorBody['error']> => {
  const { error } = ErrorBody.parse(await response.json())
  assert.equal(error.code, code, error.message)
  assert.equal(response.status, status)
  assert.equal(response.headers.get('content-type'), 'application/json; charset=utf-8')
  assert.match(error.message, message)
  return error
}
