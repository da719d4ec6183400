import type { Worker } from 'node:worker_threads'
import { type BatchOutcome, type BatchQueue, batchQueue } from './batch-queue.ts'
import type { StoreOperation, WriterRequest, WriterResponse } from './sqlite-protocol.ts'

const MAXIMUM_WAITING = 8192
const MAXIMUM_BATCH = 1024

/** A queue of operations for the writer thread. */
export type WriterQueue = BatchQueue<StoreOperation, unknown>

/** Creates a queue for the writer thread that fails as a whole if the thread dies. */
export const writerQueue = (worker: Worker): WriterQueue => {
  let settle: ((outcomes: readonly BatchOutcome<unknown>[]) => void) | undefined
  let abandon: ((reason: Error) => void) | undefined
  const send = (request: WriterRequest): void => worker.postMessage(request)
  const queue = batchQueue<StoreOperation, unknown>({
    work: (operations) =>
      new Promise((resolve, reject) => {
        settle = resolve
        abandon = reject
        send(operations)
      }),
    maximumWaiting: MAXIMUM_WAITING,
    maximumBatch: MAXIMUM_BATCH,
  })
  const die = (reason: Error): void => {
    queue.fail(reason)
    abandon?.(reason)
  }
  worker.on('message', (response: WriterResponse) => {
    if (response !== 'opened') settle?.(response)
  })
  worker.on('error', (cause) => die(new Error("the store's writer thread failed", { cause })))
  worker.on('exit', (code) => die(new Error(`the store's writer thread ended with ${code}`)))
  return queue
}
