import { RfqError } from '@openrfq/sdk'

/** INVALID_REQUEST under the HTTP status of a request that no endpoint serves: 400, 403, 404, 405, 408, 417, 426 or 431. */
export class HttpError extends RfqError {
  readonly status: number

  constructor(status: number, message: string) {
    super('INVALID_REQUEST', message)
    this.name = 'HttpError'
    this.status = status
  }
}
