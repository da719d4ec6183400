import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { USERS } from '@openrfq/sandbox/src/keys.ts'
import { USER_ABI, walletOf } from '@openrfq/sandbox/test/relayer-fixture.ts'
import { type IndexedTransfer, type TransferShape, transferRecord } from 'openrfq/test/indexed-transfer.ts'
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

/** Quotes and executes a trade between two accounts. `balances` are what both have gained since. */
const send = async (trade: Trade, from: number, to: number) => {
  const { sandbox, service, axelar } = world
  const [sender, recipient] = [accountAt(world, from), accountAt(world, to)]
  const quote = await quoteOf(world, 'gateway', requestBody(trade, sender.address, recipient.address))
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
  { quote, messageId, states, until, gained }: Sending,
  mintTx: string,
): Promise<void> => {
  const last = await until(({ state }) => state === 'DONE')
  assertInOrder(states, ['AWAITING_DEPOSIT', 'PENDING', 'DONE'])
  const { chain, token, amount } = quote.output
  assert.equal(last.source?.messageId, messageId)
  assert.deepEqual([last.destination?.chain, last.destination?.txHash], [chain, mintTx])
  assert.deepEqual(last.output, { chain, token, amount })
  assert.deepEqual(await gained(), [-BigInt(quote.input.amount), BigInt(amount)])
}

const STAGES = ['asset_sent', 'deposit_confirmed', 'voted', 'batch_signed'] as const

test('a gateway transfer with the recorded shapes goes through its stages to DONE', async () => {
  const { api, axelar } = world
  const sending = await send(tradeOf(CHAINS.a, CHAINS.b, /USDC/, 25_000_001n), 0, 1)
  assert.equal(sending.quote.output.amount, '23500001')
  assert.equal((await sending.reaches('awaiting_relay')).state, 'PENDING')
  const transferId = axelar.nextId()
  for (const stage of STAGES) {
    axelar.show({ ...sending.sent, stage, transferId })
    const { state, details } = await sending.reaches(stage)
    assert.deepEqual([state, details['backendStatus']], ['PENDING', stage])
    const isNumbered = stage === 'voted' || stage === 'batch_signed'
    assert.equal(details['transferId'], isNumbered ? `${transferId}` : undefined)
  }
  const mint = await axelar.mint(sending.sent, transferId)
  axelar.show({ ...sending.sent, stage: 'executed', transferId, mint })
  await finish(sending, mint.txHash)
  const paths = new Set(api.asked.map(({ path }) => path))
  assert.deepEqual([...paths].toSorted(), [
    '/api/searchTransfers',
    '/axelar/nexus/v1beta1/fee',
    '/cosmos/base/tendermint/v1beta1/node_info',
    '/gmp/estimateTimeSpent',
  ])
})

const capitals = (text: unknown): string => String(text).replace(/[a-f]/g, (letter) => letter.toUpperCase())

test('amounts and numbers as text, and other cases of names and hashes, lead to DONE as well', async () => {
  const { api, axelar } = world
  const sending = await send(tradeOf(CHAINS.b, CHAINS.a, /WETH/, 1_234_567_890_123_456_789n), 2, 3)
  const transferId = axelar.nextId()
  api.rewrite = ({ link, send: about, ...record }: TransferShape) => ({
    ...record,
    ...('vote' in record ? { transfer_id: `${transferId}` } : {}),
    link: { ...link, recipient_address: capitals(link['recipient_address']) },
    send: {
      ...about,
      amount: String(about['amount']),
      txhash: capitals(about['txhash']),
      source_chain: 'Sandbox-B',
      destination_chain: 'SANDBOX-A',
    },
  })
  try {
    axelar.show({ ...sending.sent, stage: 'voted', transferId })
    assert.equal((await sending.reaches('voted')).details['transferId'], `${transferId}`)
    const mint = await axelar.mint(sending.sent, transferId)
    axelar.show({ ...sending.sent, stage: 'executed', transferId, mint })
    await finish(sending, mint.txHash)
  } finally {
    api.rewrite = undefined
  }
})

/** Pays tokens on the destination as anybody can, without Axelar. */
const payPlainly = async (chainId: string, token: Hex, to: Hex, amount: bigint) => {
  const chain = world.chains.chains.find((one) => one.chainId === chainId) ?? assert.fail()
  const { wallet, done } = walletOf(chain, USERS[9])
  const call = { address: token, abi: [...erc20Abi, ...USER_ABI], functionName: 'transfer' } as const
  const receipt = await done(await wallet.writeContract({ ...call, args: [to, amount] }))
  return { txHash: receipt.transactionHash, blockNumber: Number(receipt.blockNumber), timestampSeconds: 0 }
}

test('a record that lies never makes a transfer DONE, and the truth does', async () => {
  const { api, axelar } = world
  const trade = (amount: bigint) => tradeOf(CHAINS.a, CHAINS.b, /USDC/, amount)
  const other = await send(trade(40_000_000n), 4, 5)
  const otherId = axelar.nextId()
  const otherMint = await axelar.mint(other.sent, otherId)
  const { quote, sent, states, until, ...sending } = await send(trade(30_000_000n), 6, 7)
  const { token, amount, chain } = quote.output
  const recipient = accountAt(world, 7).address
  const plain = await payPlainly(chain, token, recipient, BigInt(amount))
  const transferId = axelar.nextId()
  const executed: IndexedTransfer = { ...sent, stage: 'executed', transferId, mint: otherMint }
  const nowhere = { ...otherMint, txHash: `0x${'ab'.repeat(32)}` }
  const lies: readonly (readonly [string, IndexedTransfer, string])[] = [
    ['another recipient', { ...executed, recipient: other.sent.recipient }, 'awaiting_relay'],
    ['another amount', { ...executed, amount: other.sent.amount }, 'awaiting_relay'],
    ['another asset', { ...executed, denom: 'weth-wei' }, 'awaiting_relay'],
    ['another destination', { ...executed, destinationChain: 'sandbox-c' }, 'awaiting_relay'],
    ['another source', { ...executed, sourceChain: 'sandbox-c' }, 'awaiting_relay'],
    ['executed, without a transaction', { ...sent, stage: 'executed', transferId }, 'executed'],
    ['a transaction that does not exist', { ...executed, mint: nowhere }, 'delivery_not_seen'],
    ["somebody else's mint", executed, 'delivery_not_verified'],
    ["somebody else's mint and number", { ...executed, transferId: otherId }, 'delivery_not_verified'],
    ['a plain payment', { ...executed, mint: plain }, 'delivery_not_verified'],
  ]
  const asked = () => api.asked.filter(({ fields }) => fields['txHash'] === sent.txHash).length
  /** Follows until the service has asked for the transfer twice again and tells the stage. */
  const isTold = async (name: string, stage: string): Promise<void> => {
    const enough = asked() + 2
    const { state } = await until(({ details }) => details['stage'] === stage && asked() >= enough)
    assert.equal(state, 'PENDING', name)
  }
  for (const [name, lie, stage] of lies) {
    axelar.show(lie)
    await isTold(name, stage)
  }
  axelar.show(executed)
  api.rewrite = () =>
    transferRecord({ ...other.sent, stage: 'executed', transferId: otherId, mint: otherMint })
  await isTold("somebody else's deposit", 'awaiting_relay')
  api.rewrite = undefined
  axelar.show({ ...other.sent, stage: 'executed', transferId: otherId, mint: otherMint })
  await finish(other, otherMint.txHash)
  const { txHash } = await axelar.mint(sent, transferId)
  // Axelarscan may know from the gateway that the command was executed, and not yet in which transaction.
  axelar.show({ ...sent, stage: 'executed', transferId })
  const gained = async () => {
    const [paid = 0n, received = 0n] = await sending.gained()
    return [paid, received - BigInt(amount)]
  }
  await finish({ ...sending, quote, sent, states, until, gained }, txHash)
})
