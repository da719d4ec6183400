import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { HUB } from '@openrfq/sandbox/src/deployment-types.ts'
import { StrKey, xdr } from '@stellar/stellar-sdk'
import { encodeAbiParameters, type Hex, keccak256, parseAbiParameters, toHex } from 'viem'
import { openStellarWorld, type Rewrite, type StellarWorld } from '../../../test/stellar-world.ts'
import type { ContractChain, ContractEvents, PaymentChain } from '../../chains/payment-chain.ts'
import { baseUnits } from '../../core/amount.ts'
import type { QuoteRecord } from '../../core/quote-record.ts'
import { toGmpMessage } from '../../protocols/axelar/gmp-message.ts'
import { messageExecutedTopics, transferReceivedTopics } from '../../protocols/axelar/its-stellar.ts'
import { verifyReceived } from './received.ts'

const SENDER: Hex = `0x${'aB'.repeat(20)}`
const TOKEN_ID: Hex = `0x${'7'.repeat(64)}`
const AMOUNT = 30_000_001n
const messageNamed = (digit: string): string => `0x${digit.repeat(64)}-0`
const [MESSAGE, OTHER] = [messageNamed('1'), messageNamed('2')]
const TRANSFER = parseAbiParameters('uint256, bytes32, bytes, bytes, uint256, bytes')

let world: StellarWorld
let recipient = ''
let stranger = ''
before(async () => {
  world = await openStellarWorld()
  await world.node.axelar.register(TOKEN_ID, ['one'])
  recipient = world.user(1).publicKey()
  stranger = world.user(2).publicKey()
  for (const address of [recipient, stranger]) world.node.faucet(world.token('HBR'), address, 1n)
})
after(() => world.close())

const payloadTo = (account: string, amount: bigint): Hex => {
  const to = toHex(account)
  const inner = encodeAbiParameters(TRANSFER, [0n, TOKEN_ID, SENDER, to, amount, '0x'])
  return encodeAbiParameters(parseAbiParameters('uint256, string, bytes'), [4n, 'one', inner])
}

/** Executes a message of the hub on the ledger. Returns its transaction. */
const deliver = async (messageId: string, account = recipient, amount = AMOUNT): Promise<string> => {
  const result = await world.node.axelar.deliver({
    sourceChain: HUB.chain,
    sourceAddress: HUB.address,
    messageId,
    payload: payloadTo(account, amount),
  })
  assert.ok(result.landed, JSON.stringify(result))
  return result.txHash.slice(2)
}

const quoteNow = (): QuoteRecord => ({
  quoteId: 'quote_00000000000000000000000001',
  backend: 'its',
  backendName: 'Interchain Token Service',
  createdAt: world.now(),
  quoteExpiresAt: world.now() + 60_000,
  estimatedTimeSeconds: 90,
  orderType: 'EXACT_INPUT',
  fromChain: 'eip155:1',
  fromToken: `0x${'3'.repeat(40)}`,
  toChain: world.node.chainId,
  toToken: world.token('HBR'),
  sender: SENDER,
  recipient,
  input: baseUnits(AMOUNT),
  output: baseUnits(AMOUNT),
  minimumOutput: baseUnits(AMOUNT),
  binding: {
    tokenId: TOKEN_ID,
    sourceAxelarChain: 'one',
    destinationAxelarChain: 'two',
    hubChain: HUB.chain,
    hubAddress: HUB.address,
    destinationIts: world.node.axelar.its,
    destinationGateway: world.node.axelar.gateway,
    recipientBytes: toHex(recipient),
  },
})

const contractsOf = ({ contracts }: PaymentChain): ContractChain => {
  assert.ok(contracts)
  return contracts
}

/** What is observed of the quote's transfer by the transaction that Axelar's indexer names for the message. */
const observe = async (
  txHash: string,
  contracts = contractsOf(world.chain),
  messageId = MESSAGE,
): Promise<string> => {
  const message = toGmpMessage({ message_id: messageId, status: 'executed' })
  assert.ok(message)
  const source = {
    chain: 'eip155:1',
    txHash: '0x',
    messageId: '0x-0',
    timestamp: new Date(world.now()).toISOString(),
  }
  const hint = { quote: quoteNow(), source, txHash, details: {} }
  const { seen, details } = await verifyReceived({ contracts, log: () => undefined }, hint, message)
  return `${seen} ${details['stage']}`
}

let delivered = ''
test('a delivery counts by the events of the token service and of the gateway', async () => {
  delivered = await deliver(MESSAGE)
  assert.equal(await observe(delivered), 'delivered delivered')
})

test('the delivery of another message, to another account or of less is not the quote’s', async () => {
  for (const [messageId, account, amount] of [
    [OTHER, recipient, AMOUNT],
    [messageNamed('3'), stranger, AMOUNT],
    [messageNamed('4'), recipient, AMOUNT - 1n],
  ] as const)
    assert.equal(await observe(await deliver(messageId, account, amount)), 'in_flight delivery_not_verified')
})

test('a message is executed once, and only for an account that can hold the token', async () => {
  const message = { sourceChain: HUB.chain, sourceAddress: HUB.address, messageId: MESSAGE }
  const twice = await world.node.axelar.deliver({ ...message, payload: payloadTo(recipient, AMOUNT) })
  const untrusting = payloadTo(world.user(3).publicKey(), AMOUNT)
  const refused = await world.node.axelar.deliver({
    ...message,
    messageId: messageNamed('5'),
    payload: untrusting,
  })
  assert.deepEqual([twice.landed, refused.landed], [false, false])
})

const forged = (change: (found: ContractEvents) => ContractEvents): ContractChain => ({
  ...contractsOf(world.chain),
  eventsIn: async (...asked) => change(await contractsOf(world.chain).eventsIn(...asked)),
})

test('events of other contracts, of one contract alone and of a failed transaction prove nothing', async () => {
  const { gateway, its } = world.node.axelar
  const strangers = world.token('USDC')
  const from = (contract: string, emitter: string) => (found: ContractEvents) => ({
    ...found,
    events: found.events.map((event) =>
      event.contract === contract ? { ...event, contract: emitter } : event,
    ),
  })
  for (const change of [
    from(its, strangers),
    from(gateway, strangers),
    from(gateway, its),
    (found: ContractEvents) => ({ ...found, events: found.events.slice(1) }),
    (found: ContractEvents) => ({ ...found, events: found.events.slice(0, 1) }),
    (found: ContractEvents) => ({ ...found, succeeded: false }),
  ])
    assert.equal(await observe(delivered, forged(change)), 'in_flight delivery_not_verified')
})

test('a text that is no transaction of the chain delivers nothing', async () => {
  assert.equal(await observe(`0x${delivered}`), 'in_flight delivery_not_seen')
})

test('one endpoint that tells of a delivery that never was is not believed', async () => {
  const paid = await deliver(messageNamed('6'), stranger)
  const topics = [
    [
      world.node.axelar.gateway,
      messageExecutedTopics({
        sourceChain: HUB.chain,
        sourceAddress: HUB.address,
        messageId: messageNamed('6'),
        contract: world.node.axelar.its,
        payloadHash: keccak256(payloadTo(recipient, AMOUNT)),
      }),
    ],
    [
      world.node.axelar.its,
      transferReceivedTopics({
        sourceChain: 'one',
        tokenId: TOKEN_ID,
        sender: SENDER,
        recipient,
        amount: AMOUNT,
      }),
    ],
  ] as const
  const events = topics.map(([contract, texts]) =>
    new xdr.ContractEvent({
      ext: xdr.ExtensionPoint.v0(),
      contractId: new xdr.ContractId(StrKey.decodeContract(contract)),
      type: xdr.ContractEventType.contract,
      body: xdr.ContractEventBody.v0(
        new xdr.ContractEventV0({
          topics: texts.map((text) => xdr.ScVal.fromXdr(text, 'base64')),
          data: xdr.ScVal.scvVoid(),
        }),
      ),
    }).toXdr('base64'),
  )
  const lie: Rewrite = (method, result) =>
    method === 'getTransaction' && result['status'] === 'SUCCESS'
      ? { ...result, events: { contractEventsXdr: [events] } }
      : result
  const liar = await world.startRelay(lie)
  const alone = world.connect([liar])
  assert.equal(await observe(paid, contractsOf(alone), messageNamed('6')), 'delivered delivered')
  const honest = await Promise.all([0, 1].map(() => world.startRelay((_method, result) => result)))
  const three = world.connect([liar, ...honest])
  assert.equal(await observe(paid, contractsOf(three), messageNamed('6')), 'in_flight delivery_not_verified')
  const two = world.connect([liar, ...honest.slice(0, 1)])
  assert.equal(await observe(paid, contractsOf(two), messageNamed('6')), 'in_flight destination_unreadable')
  const real = world.connect([liar, ...honest])
  assert.equal(await observe(delivered, contractsOf(real)), 'delivered delivered')
})
