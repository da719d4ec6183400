import type { Worker } from 'node:worker_threads'
import { type BatchOutcome, type BatchQueue, batchQueue } from './batch-queue.ts'
import type { StoreOperation, WriterRequest, WriterResponse } from './sqlite-protocol.ts'

const MAXIMUM_WAITING = 8192
const MAXIMUM_BATCH = 1024
/** The thread commits a few answers while the main thread prices the other requests of the same turn. */
const SIDE_BY_SIDE = { size: 16, most: 4 } as const

/** A queue of operations for the writer thread. */
export type WriterQueue = BatchQueue<StoreOperation, unknown>

/** Creates a queue for the writer thread that fails as a whole if the thread dies. */
export const writerQueue = (worker: Worker): WriterQueue => {
  /** The batches that the thread has not answered, in the order in which it does. */
  const sent: PromiseWithResolvers<readonly BatchOutcome<unknown>[]>[] = []
  const send = (request: WriterRequest): void => worker.postMessage(request)
  const queue = batchQueue<StoreOperation, unknown>({
    work: (operations) => {
      const batch = Promise.withResolvers<readonly BatchOutcome<unknown>[]>()
      sent.push(batch)
      send(operations)
      return batch.promise
    },
    maximumWaiting: MAXIMUM_WAITING,
    maximumBatch: MAXIMUM_BATCH,
    sideBySide: SIDE_BY_SIDE,
  })
  const die = (reason: Error): void => {
    queue.fail(reason)
    for (const batch of sent.splice(0)) batch.reject(reason)
  }
  worker.on('message', (response: WriterResponse) => {
    if (response !== 'opened') sent.shift()?.resolve(response)
  })
  worker.on('error', (cause) => die(new Error("the store's writer thread failed", { cause })))
  worker.on('exit', (code) => die(new Error(`the store's writer thread ended with ${code}`)))
  return queue
}
