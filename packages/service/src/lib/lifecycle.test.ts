import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inBackground, type Lifecycle, shared, startInOrder, together } from './lifecycle.ts'

/** Parts that record their calls; those named in `failing` reject. */
const createParts = (...failing: readonly string[]) => {
  const done: string[] = []
  const act = async (step: string): Promise<void> => {
    await Promise.resolve()
    done.push(step)
    if (failing.includes(step)) throw new Error(step)
  }
  const part = (name: string): Lifecycle => ({
    start: () => act(`start ${name}`),
    stop: () => act(`stop ${name}`),
  })
  return { done, part }
}

test('starts stages in order and stops them in reverse order', async () => {
  const { done, part } = createParts()
  const stop = await startInOrder([part('chains'), together([part('its'), part('intent')]), part('server')])
  assert.deepEqual(done, ['start chains', 'start its', 'start intent', 'start server'])
  done.length = 0
  await stop()
  assert.deepEqual(done, ['stop server', 'stop its', 'stop intent', 'stop chains'])
})

test('when a stage fails, stops it and the stages before it', async () => {
  const { done, part } = createParts('start backends')
  await assert.rejects(startInOrder([part('chains'), part('backends'), part('server')]), /start backends/)
  assert.deepEqual(done, ['start chains', 'start backends', 'stop backends', 'stop chains'])
})

test('a stage that fails to stop does not keep others running', async () => {
  const { done, part } = createParts('stop server')
  const stop = await startInOrder([part('store'), part('server')])
  await assert.rejects(stop(), /stop server/)
  assert.deepEqual(done.slice(2), ['stop server', 'stop store'])
})

test('does not wait for the first attempt of a part in the background', async () => {
  const { done, part } = createParts()
  const never = new Promise<void>(() => undefined)
  const stop = await startInOrder([inBackground({ ...part('slow'), start: () => never }), part('server')])
  await stop()
  assert.deepEqual(done, ['start server', 'stop server', 'stop slow'])
})

test('a shared part starts with its first owner, and stops with the last', async () => {
  const { done, part } = createParts()
  const both = shared(part('reads'))
  await Promise.all([both.start(), both.start()])
  await both.stop()
  assert.deepEqual(done, ['start reads'])
  await both.stop()
  assert.deepEqual(done, ['start reads', 'stop reads'])
  await both.start()
  assert.deepEqual(done.slice(2), ['start reads'])
})
