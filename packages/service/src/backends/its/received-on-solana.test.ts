import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { HUB } from '@openrfq/sandbox/src/deployment-types.ts'
import { AccountRole, address } from '@solana/kit'
import { AuthorityType, getSetAuthorityInstruction } from '@solana-program/token'
import { encodeAbiParameters, type Hex, parseAbiParameters } from 'viem'
import { startLyingNode } from '../../../test/lying-node.ts'
import { type ClusterWallet, type SolanaCluster, startSolanaCluster } from '../../../test/solana-cluster.ts'
import { memo, tokens } from '../../../test/solana-instructions.ts'
import type { ProgramChain, ProgramEvents } from '../../chains/payment-chain.ts'
import { associatedTokenOf } from '../../chains/solana/associated-token.ts'
import { encodeBase58 } from '../../chains/solana/base58.ts'
import { solanaKeyBytes } from '../../chains/solana/key-bytes.ts'
import { PROGRAMS } from '../../chains/solana/programs.ts'
import { baseUnits } from '../../core/amount.ts'
import type { QuoteRecord } from '../../core/quote-record.ts'
import { toGmpMessage } from '../../protocols/axelar/gmp-message.ts'
import { eventAuthorityOf, itsPlaces, receivedEvent } from '../../protocols/axelar/its-solana.ts'
import { verifyOnSolana } from './received-on-solana.ts'

const SENDER: Hex = `0x${'aB'.repeat(20)}`
const TOKEN_ID: Hex = `0x${'7'.repeat(64)}`
const AMOUNT = 3_000_001n
const EVENT_TAG = Buffer.from('e445a52e51cb9a1d', 'hex')
const messageNamed = (digit: string): string => `0x${digit.repeat(64)}-0`
const [MESSAGE, OTHER] = [messageNamed('1'), messageNamed('2')]
const TRANSFER = parseAbiParameters('uint256, bytes32, bytes, bytes, uint256, bytes')

let cluster: SolanaCluster
let programs: ProgramChain
let recipient: ClusterWallet
let stranger: ClusterWallet
let token = ''
let its = ''

const connect = async (urls?: readonly string[]): Promise<ProgramChain> => {
  const chain = await cluster.connect(urls === undefined ? {} : { rpcUrls: urls })
  assert.ok(chain.programs)
  return chain.programs
}

before(async () => {
  cluster = await startSolanaCluster(20)
  its = cluster.node.axelar.its
  await cluster.node.axelar.register(TOKEN_ID, ['one'])
  token = cluster.node.tokens.find(({ symbol }) => symbol === 'HBR')?.address ?? ''
  const [first, second] = cluster.wallets
  assert.ok(first !== undefined && second !== undefined)
  ;[recipient, stranger] = [first, second]
  programs = await connect()
})
after(() => cluster.stop())

const hex = (bytes: Uint8Array): Hex => `0x${Buffer.from(bytes).toString('hex')}`
const accountOf = (owner: string): string => associatedTokenOf(owner, token, PROGRAMS.token)

const payloadTo = (owner: string, amount: bigint): Hex => {
  const inner = encodeAbiParameters(TRANSFER, [
    0n,
    TOKEN_ID,
    SENDER,
    hex(solanaKeyBytes(owner)),
    amount,
    '0x',
  ])
  return encodeAbiParameters(parseAbiParameters('uint256, string, bytes'), [4n, 'one', inner])
}

const send = (messageId: string, owner: string, amount = AMOUNT, sourceAddress: string = HUB.address) =>
  cluster.node.axelar.deliver({
    sourceChain: HUB.chain,
    sourceAddress,
    messageId,
    payload: payloadTo(owner, amount),
  })

/** Executes a message of the hub on the chain. Returns its transaction. */
const deliver = async (messageId: string, owner = recipient.address, amount = AMOUNT): Promise<string> => {
  const result = await send(messageId, owner, amount)
  assert.ok(result.landed, JSON.stringify(result))
  cluster.node.advance(6)
  return result.txHash
}

const quoteNow = (): QuoteRecord => ({
  quoteId: 'quote_00000000000000000000000001',
  backend: 'its',
  backendName: 'Interchain Token Service',
  createdAt: Date.now(),
  quoteExpiresAt: Date.now() + 60_000,
  estimatedTimeSeconds: 90,
  orderType: 'EXACT_INPUT',
  fromChain: 'eip155:1',
  fromToken: `0x${'3'.repeat(40)}`,
  toChain: `solana:${cluster.node.genesisHash.slice(0, 32)}`,
  toToken: token,
  sender: SENDER,
  recipient: recipient.address,
  input: baseUnits(AMOUNT),
  output: baseUnits(AMOUNT),
  minimumOutput: baseUnits(AMOUNT),
  binding: {
    tokenId: TOKEN_ID,
    sourceAxelarChain: 'one',
    destinationAxelarChain: 'two',
    hubChain: HUB.chain,
    hubAddress: HUB.address,
    destinationIts: its,
    destinationGateway: cluster.node.axelar.gateway,
    destinationTokenAccount: accountOf(recipient.address),
    recipientBytes: hex(solanaKeyBytes(recipient.address)),
  },
})

/** What is observed of the quote's transfer by the transaction that Axelar's indexer names for the message. */
const observe = async (txHash: string, told = programs, messageId = MESSAGE): Promise<string> => {
  const message = toGmpMessage({ message_id: messageId, status: 'executed' })
  assert.ok(message)
  const timestamp = new Date().toISOString()
  const source = { chain: 'eip155:1', txHash: '0x', messageId: '0x-0', timestamp }
  const hint = { quote: quoteNow(), source, txHash, details: {} }
  const { seen, details } = await verifyOnSolana({ programs: told, log: () => undefined }, hint, message)
  return `${seen} ${details['stage']}`
}

let delivered = ''
test('a delivery counts by the event of the token service, once it is final', async () => {
  delivered = await deliver(MESSAGE)
  assert.equal(await observe(delivered), 'delivered delivered')
})

test('the delivery of another message, to another wallet or of less is not the quote’s', async () => {
  for (const [messageId, owner, amount] of [
    [OTHER, recipient.address, AMOUNT],
    [messageNamed('3'), stranger.address, AMOUNT],
    [messageNamed('4'), recipient.address, AMOUNT - 1n],
  ] as const) {
    const txHash = await deliver(messageId, owner, amount)
    assert.equal(await observe(txHash), 'in_flight delivery_not_verified')
    if (messageId !== OTHER)
      assert.equal(await observe(txHash, programs, messageId), 'in_flight delivery_not_verified')
  }
})

const eventOf = (messageId: string): Buffer =>
  Buffer.from(
    receivedEvent({
      messageChain: HUB.chain,
      ...{ messageId, sourceChain: 'one', tokenId: TOKEN_ID, sender: SENDER },
      recipient: recipient.address,
      account: accountOf(recipient.address),
      amount: AMOUNT,
    }),
    'hex',
  )

test('a wallet cannot call the event of the token service, and its event in another program proves nothing', async () => {
  const data = Buffer.concat([EVENT_TAG, eventOf(messageNamed('5'))])
  const authority = address(eventAuthorityOf(its))
  const asEvent = {
    programAddress: address(its),
    accounts: [{ address: authority, role: AccountRole.READONLY }],
    data,
  }
  const inMemo = { ...memo(data.toString('latin1')), accounts: [] }
  for (const instruction of [asEvent, inMemo]) {
    const txHash = await cluster.send(stranger, [
      tokens(stranger, recipient.address, { address: token, decimals: 6 }, AMOUNT),
      instruction,
    ])
    await new Promise((resolve) => setTimeout(resolve, 200))
    cluster.node.advance(8)
    assert.match(
      await observe(txHash, programs, messageNamed('5')),
      /^in_flight delivery_not_(verified|seen)$/,
    )
  }
})

test('the token service takes messages of the hub only, and pays no account that its owner gave away', async () => {
  const foreign = await send(messageNamed('6'), recipient.address, AMOUNT, 'axelar1stranger')
  const [, , third] = cluster.wallets
  assert.ok(third)
  await cluster.send(third, [
    getSetAuthorityInstruction({
      owned: address(accountOf(third.address)),
      owner: third.signer,
      authorityType: AuthorityType.AccountOwner,
      newAuthority: address(stranger.address),
    }),
  ])
  cluster.node.advance(2)
  const given = await send(messageNamed('7'), third.address)
  assert.deepEqual([foreign.landed, given.landed], [false, false])
})

const changed = (change: (found: ProgramEvents) => ProgramEvents): ProgramChain => ({
  ...programs,
  eventsIn: async (...asked) => change(await programs.eventsIn(...asked)),
})

test('an event without its tokens, with tokens of another account or of a failed transaction proves nothing', async () => {
  const gain = (part: object) => (found: ProgramEvents) => ({
    ...found,
    gains: found.gains.map((one) => ({ ...one, ...part })),
  })
  for (const change of [
    gain({ owner: stranger.address }),
    gain({ account: accountOf(stranger.address) }),
    gain({ mint: cluster.mints[0].address }),
    gain({ amount: AMOUNT - 1n }),
    (found: ProgramEvents) => ({ ...found, gains: [] }),
    (found: ProgramEvents) => ({ ...found, events: [] }),
    (found: ProgramEvents) => ({ ...found, succeeded: false }),
  ])
    assert.equal(await observe(delivered, changed(change)), 'in_flight delivery_not_verified')
})

test('a text that is no transaction of the chain delivers nothing', async () => {
  assert.equal(await observe('0x12'), 'in_flight delivery_not_seen')
})

test('one endpoint that tells of a delivery that never was is not believed', async () => {
  const url = cluster.node.rpcUrl
  const paid = await deliver(messageNamed('8'), stranger.address)
  const forged = encodeBase58(Buffer.concat([EVENT_TAG, eventOf(messageNamed('8'))]))
  const liar = await startLyingNode(url, () => (call, result) => {
    if (call.method !== 'getTransaction' || result === null) return result
    // The real transaction, but the payee is the recipient, and so says the event.
    const text = JSON.stringify(result)
      .replaceAll(accountOf(stranger.address), accountOf(recipient.address))
      .replaceAll(stranger.address, recipient.address)
    const told = JSON.parse(text)
    for (const group of told.meta.innerInstructions)
      for (const inner of group.instructions) if (inner.data.length > 200) inner.data = forged
    return told
  })
  try {
    assert.equal(await observe(paid, await connect([liar.url]), messageNamed('8')), 'delivered delivered')
    const honest = [1, 2].map((place) => `${url}/?${place}`)
    const three = await connect([liar.url, ...honest])
    assert.equal(await observe(paid, three, messageNamed('8')), 'in_flight delivery_not_verified')
    const two = await connect([liar.url, ...honest.slice(0, 1)])
    assert.equal(await observe(paid, two, messageNamed('8')), 'in_flight destination_unreadable')
    assert.equal(await observe(delivered, three), 'delivered delivered')
  } finally {
    liar.stop()
  }
})

test('a token manager’s account is where the token service derives it', () => {
  // The root and manager of SHX on mainnet. Source: axelar-contract-deployments, the interchain token registry.
  assert.equal(itsPlaces(its, TOKEN_ID).root, '4aF3gSZCYE2Nt92c1Ba7TTag8ob79xbWydUzwk3HjprL')
})
