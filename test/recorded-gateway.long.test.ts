import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { USERS } from '@openrfq/sandbox/src/keys.ts'
import { USER_ABI, walletOf } from '@openrfq/sandbox/test/relayer-fixture.ts'
import { assertInOrder, balanceOf, execute, follow, type WireStatus } from 'openrfq/test/wallet.ts'
import { erc20Abi, type Hex, isHash } from 'viem'
import { type GatewayWorld, startGatewayWorld } from './gateway-world.ts'
import { accountAt, CHAINS, quoteOf, requestBody, type Trade, tokenOn } from './sandbox-service.ts'

let world: GatewayWorld
before(async () => {
  world = await startGatewayWorld()
})
after(() => world?.stop())

const tradeOf = (from: string, to: string, symbol: RegExp, amount: bigint): Trade => ({
  from: tokenOn(world, from, 'gateway', symbol),
  to: tokenOn(world, to, 'gateway', symbol),
  amount,
})

/** Quotes and executes a trade between two accounts. `gained` is what both have gained since. */
const send = async (trade: Trade, from: number, to: number) => {
  const { sandbox, service, axelar } = world
  const [sender, recipient] = [accountAt(world, from), accountAt(world, to)]
  const quote = await quoteOf(world, 'gateway', requestBody(trade, sender.address, recipient.address))
  assert.equal(quote.output.amount, quote.input.amount)
  assert.equal(quote.output.minimumAmount, quote.output.amount)
  const balances = () =>
    Promise.all([
      balanceOf(sandbox, quote.input, sender.address),
      balanceOf(sandbox, quote.output, recipient.address),
    ])
  const held = await balances()
  const messageId = await execute(sandbox, quote, sender.privateKey)
  const { quoteId } = quote
  const states: string[] = []
  /** Follows the quote until its status is as wanted; every other one before it is in flight. */
  const until = async (isWanted: (status: WireStatus) => boolean): Promise<WireStatus> => {
    const followed = await follow(service.url, { quoteId }, isWanted)
    for (const state of followed.states) if (states.at(-1) !== state) states.push(state)
    return followed.last
  }
  const [txHash = ''] = messageId.split('-')
  assert.ok(isHash(txHash))
  return {
    ...{ quote, messageId, states, until },
    sent: await axelar.index(quote.input.chain, txHash),
    reaches: (stage: string) => until(({ details }) => details['stage'] === stage),
    gained: async () => {
      const now = await balances()
      return now.map((amount, index) => amount - (held[index] ?? 0n))
    },
  }
}

type Sending = Awaited<ReturnType<typeof send>>

/** Follows a transfer that Axelar has delivered to its end. Asserts what the status and the chains say of it. */
const finish = async (
  {
    quote,
    messageId,
    states,
    until,
    gained,
  }: Pick<Sending, 'quote' | 'messageId' | 'states' | 'until' | 'gained'>,
  executeTx: string | undefined,
): Promise<void> => {
  const last = await until(({ state }) => state === 'DONE')
  assertInOrder(states, ['AWAITING_DEPOSIT', 'PENDING', 'DONE'])
  const { chain, token, amount } = quote.output
  assert.equal(last.source?.messageId, messageId)
  assert.deepEqual([last.destination?.chain, last.destination?.txHash], [chain, executeTx])
  assert.deepEqual(last.output, { chain, token, amount })
  assert.deepEqual(await gained(), [-BigInt(quote.input.amount), BigInt(amount)])
}

test('a transfer with records of the indexer goes through its stages to DONE, without an exchange and without an executor', async () => {
  const { api, axelar } = world
  const sending = await send(tradeOf(CHAINS.a, CHAINS.b, /USDC/, 25_000_000n), 0, 1)
  for (const status of ['called', 'confirming', 'confirmed']) {
    axelar.show(sending.sent, { status })
    assert.equal((await sending.reaches(status)).state, 'PENDING')
  }
  const approved = await axelar.approve(sending.sent)
  axelar.show(approved)
  assert.equal((await sending.reaches('approved')).state, 'PENDING')
  const executed = await axelar.execute(approved)
  axelar.show(executed)
  await finish(sending, executed.executed?.txHash)
  const asked = new Set(api.asked.map(({ path }) => path.replace(/(?<=\/event\/).*/, '…')))
  assert.deepEqual([...asked].toSorted(), [
    '/axelar/evm/v1beta1/chains',
    '/axelar/evm/v1beta1/event/…',
    '/axelar/evm/v1beta1/token_info/sandbox-a',
    '/axelar/evm/v1beta1/token_info/sandbox-b',
    '/cosmos/base/tendermint/v1beta1/node_info',
    '/gmp/estimateTimeSpent',
    '/gmp/getFees',
    '/gmp/searchGMP',
  ])
})

/** Pays tokens on the destination as anybody can, without Axelar. */
const payPlainly = async (chainId: string, token: Hex, to: Hex, amount: bigint): Promise<string> => {
  const chain = world.chains.chains.find((one) => one.chainId === chainId) ?? assert.fail()
  const { wallet, done } = walletOf(chain, USERS[9])
  const call = { address: token, abi: [...erc20Abi, ...USER_ABI], functionName: 'transfer' } as const
  return (await done(await wallet.writeContract({ ...call, args: [to, amount] }))).transactionHash
}

test('a record that lies never makes a transfer DONE, and the truth does', async () => {
  const { api, axelar } = world
  const trade = (amount: bigint) => tradeOf(CHAINS.a, CHAINS.b, /USDC/, amount)
  const other = await send(trade(30_000_000n), 4, 5)
  const others = await axelar.execute(await axelar.approve(other.sent))
  const { quote, sent, states, until, ...sending } = await send(trade(30_000_000n), 6, 7)
  const { token, amount, chain } = quote.output
  const plain = await payPlainly(chain, token, accountAt(world, 7).address, BigInt(amount))
  const executedBy = (transactionHash: string | undefined) => ({
    ...{ status: 'executed', is_executed: true, executed: { transactionHash } },
  })
  const asked = () => api.asked.filter(({ fields }) => fields['messageId'] === sent.id).length
  for (const [name, changes] of [
    ['a transaction that does not exist', executedBy(`0x${'ab'.repeat(32)}`)],
    ["somebody else's delivery", executedBy(others.executed?.txHash)],
    ['a plain payment', executedBy(plain)],
    ['executed, without a transaction', { status: 'executed', is_executed: true }],
    ['invalid', { is_invalid_call: true }],
  ] as const) {
    axelar.show(sent, changes)
    const enough = asked() + 2
    const { state } = await until(() => asked() >= enough)
    assert.equal(state, 'PENDING', name)
  }
  axelar.show(others)
  await finish(other, others.executed?.txHash)
  const executed = await axelar.execute(await axelar.approve(sent))
  // The chain shows the delivery though the indexer does not know it.
  axelar.show(sent)
  const gained = async () => {
    const [paid = 0n, received = 0n] = await sending.gained()
    return [paid, received - BigInt(amount)]
  }
  await finish({ ...sending, quote, states, until, gained }, executed.executed?.txHash)
})
