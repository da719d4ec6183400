import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { isComplete } from 'openrfq/src/app/deploy/deploy.ts'
import type { LocalServer } from 'openrfq/test/local-server.ts'
import { startLyingNode } from 'openrfq/test/lying-node.ts'
import { z } from 'zod'
import { KEY, networkIn, OWNER, openPlaces, type Place, planIn } from './places.ts'

const SALT = 'a family'
const COST = 10n ** 18n
const DEAD = 'http://127.0.0.1:1'
const ALL = ['factory', 'intent', 'attested', 'express']

/** A chain on which nothing of the family stands, and a false copy of it on which everything does. */
let fresh: Place
let copy: Place
/** Other endpoints of the two. */
let freshTwin: LocalServer
let copyTwin: LocalServer
let folder: string
let stop: () => Promise<void>
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'rfq-deploy-'))
  const opened = [await openPlaces(['Ethereum']), await openPlaces(['Ethereum'])] as const
  const [first, second] = opened.map(({ places: [place] }) => place)
  assert.ok(first && second)
  ;[fresh, copy] = [first, second]
  freshTwin = await startLyingNode(fresh.rpcUrl, () => undefined)
  copyTwin = await startLyingNode(copy.rpcUrl, () => undefined)
  stop = async () => {
    freshTwin.stop()
    copyTwin.stop()
    await Promise.all(opened.map((one) => one.stop()))
    rmSync(folder, { recursive: true, force: true })
  }
  await (await planOver([copy.rpcUrl])).send(KEY, COST, () => undefined)
})
after(() => stop())

const planOver = (rpcUrls: readonly string[], salt = SALT) =>
  planIn(
    networkIn(
      folder,
      [fresh],
      (axelar) => axelar,
      () => rpcUrls,
    ),
    OWNER,
    salt,
  )
const overlay = () => join(folder, 'overlay.json')
const heights = () => Promise.all([fresh, copy].map(({ rpc }) => rpc('eth_blockNumber')))

test('what one endpoint invents stands nowhere, and is not written into the overlay', async () => {
  const deployment = await planOver([copy.rpcUrl, fresh.rpcUrl, freshTwin.url])
  const [plan] = deployment.plans
  assert.deepEqual([plan?.done, plan?.problems], [[], []])
  assert.deepEqual(
    plan?.steps.map(({ what }) => what),
    ALL,
  )
  assert.equal(await deployment.writeTo(overlay()), false)
  assert.equal(existsSync(overlay()), false)
})

test('what one endpoint hides is not deployed again', async () => {
  const before = await heights()
  const deployment = await planOver([fresh.rpcUrl, copy.rpcUrl, copyTwin.url])
  assert.deepEqual(deployment.plans[0]?.done, ALL)
  assert.ok(deployment.plans.every(isComplete))
  await deployment.send(KEY, COST, () => assert.fail('nothing is left to send'))
  assert.deepEqual(await heights(), before)
})

test('a chain whose endpoints contradict each other gets no transaction', async () => {
  const before = await heights()
  for (const urls of [
    [copy.rpcUrl, fresh.rpcUrl],
    [fresh.rpcUrl, copy.rpcUrl, DEAD],
  ]) {
    const deployment = await planOver(urls)
    const [plan] = deployment.plans
    assert.deepEqual([plan?.steps, plan?.done], [[], []])
    assert.match(String(plan?.problems), /^its endpoints do not answer alike: too few endpoints say the same/)
    await deployment.send(KEY, COST, () => assert.fail('it was sent'))
    assert.equal(await deployment.writeTo(overlay()), false)
  }
  assert.deepEqual(await heights(), before)
})

test('an endpoint of another chain gets no transaction', async () => {
  const other = await startLyingNode(
    fresh.rpcUrl,
    () =>
      ({ method }, result) =>
        method === 'eth_chainId' ? '0x1' : result,
  )
  const { plans } = await planOver([other.url])
  assert.deepEqual(plans[0]?.steps, [])
  assert.match(String(plans[0]?.problems), /endpoint of eip155:1, expected eip155:31337/)
  other.stop()
})

test('deploys through the endpoints that answer, whatever one says of a transaction', async () => {
  const Receipt = z.looseObject({ status: z.string() })
  const liar = await startLyingNode(fresh.rpcUrl, () => ({ method }, result) => {
    const receipt = Receipt.safeParse(result)
    return method === 'eth_getTransactionReceipt' && receipt.success
      ? { ...receipt.data, status: '0x0' }
      : result
  })
  for (const [first, salt] of [
    [DEAD, SALT],
    [liar.url, 'another family'],
  ] as const) {
    const urls = [first, fresh.rpcUrl, freshTwin.url]
    const sent: string[] = []
    const deployment = await planOver(urls, salt)
    await deployment.send(KEY, COST, (_chainId, { step }) => sent.push(step.what))
    assert.deepEqual(sent, ALL)
    assert.ok((await planOver(urls, salt)).plans.every(isComplete))
  }
  liar.stop()
})
