import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eventually } from 'openrfq/test/eventually.ts'
import { fetchJson } from 'openrfq/test/wallet.ts'
import { absentParts } from './absent-parts.ts'
import { openBooks } from './attack-books.ts'
import { isDone, quoteDeposit } from './deposit-world.ts'
import { type FamiliesWorld, type FamilyChain, startFamiliesWorld } from './families-world.ts'

/** Longer than a payout may wait before the vault's chain is no longer quoted. */
const WAIT_SECONDS = 630
const USER = 3

let world: FamiliesWorld
before(async () => {
  world = await startFamiliesWorld()
})
after(() => world?.stop())

const absent = (): Promise<readonly string[]> => absentParts(world)

/** How long the vault's longest waiting payout has waited for its second signature. */
const unsignedSeconds = async (): Promise<number> => {
  const text = await (await fetch(`${world.url}/metrics`)).text()
  return Number(/openrfq_vault_unsigned_seconds\{chain="stellar:[^"]+"\} (\d+)/.exec(text)?.[1] ?? 0)
}

const isQuoted = async (from: FamilyChain, to: FamilyChain): Promise<boolean> => {
  const input = world.tokenOf(from, /USDC/)
  const { status, body } = await fetchJson<{ quotes: { backend: { type: string } }[] }>(
    `${world.url}/v1/rfq/quote`,
    {
      fromChain: from.chainId,
      fromToken: input.address,
      toChain: to.chainId,
      toToken: world.tokenOf(to, /USDC/).address,
      amount: (10n * 10n ** BigInt(input.decimals)).toString(),
      orderType: 'EXACT_INPUT',
      sender: world.accountOf(from, USER).address,
      recipient: world.accountOf(to, USER).address,
    },
  )
  assert.equal(status, 200)
  return body.quotes.some(({ backend }) => backend.type === 'intent')
}

test("with the vault's second signer dead nothing is paid or lost, quotes stop, and all is paid after its return", async (context) => {
  const evm = world.chainOf('evm')
  const { quote, chain, token, payer, input, balance, follow } = await quoteDeposit(world, {
    from: 'stellar',
    user: USER,
  })
  const solversHold = async (): Promise<bigint> => {
    const held = world.solversOn(chain).map((account) => world.balanceOf(chain, token, account))
    return (await Promise.all(held)).reduce((sum, one) => sum + one, 0n)
  }
  const books = await openBooks(async () => ({
    payer: await balance(),
    vault: await world.balanceOf(chain, token, chain.vault ?? ''),
    solvers: await solversHold(),
  }))

  await world.control('/sandbox/attester', { paused: true })
  await world.execute(quote, payer)
  await follow(isDone)
  await eventually('the payout waits', async () => (await unsignedSeconds()) > 0)
  assert.ok(!(await absent()).includes(chain.chainId), 'it may wait a little')
  await world.moveClock(WAIT_SECONDS)
  await eventually('the vault takes no deposits', async () => (await absent()).includes(chain.chainId))
  for (const [from, to] of [
    [chain, evm],
    [evm, chain],
  ] as const)
    assert.ok(!(await isQuoted(from, to)))
  context.diagnostic(`filled, and ${await unsignedSeconds()} s without the second signature:`)
  assert.deepEqual(await books.print(context), { payer: -input, vault: input, solvers: 0n })

  await world.control('/sandbox/attester', { paused: false })
  await eventually('the solver is repaid', async () => (await solversHold()) === books.start.solvers + input)
  context.diagnostic('after the return of the signer:')
  assert.deepEqual(await books.print(context), { payer: -input, vault: 0n, solvers: input })
  await eventually('the vault takes deposits', async () => !(await absent()).includes(chain.chainId))
  for (const [from, to] of [
    [chain, evm],
    [evm, chain],
  ] as const)
    await eventually('quoted again', () => isQuoted(from, to))
})
