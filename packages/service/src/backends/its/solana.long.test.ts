import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { SolanaInstructions } from '@openrfq/sdk'
import {
  appendTransactionMessageInstructions,
  createKeyPairSignerFromBytes,
  createSolanaRpc,
  createTransactionMessage,
  getBase58Encoder,
  getBase64EncodedWireTransaction,
  getSignatureFromTransaction,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit'
import {
  type BackendWorld,
  offerFor,
  orderFor,
  pricedQuote,
  recordOf,
  startBackendWorld,
  user,
} from '../../../test/backend-world.ts'
import { backendOf, balance, follow, until } from '../../../test/follow-backend.ts'
import { checkExactDelivery, type ItsDestination, itsDestination } from '../../../test/its-destination.ts'
import { toKit } from '../../../test/kit-instruction.ts'
import { associatedTokenOf } from '../../chains/solana/associated-token.ts'
import { PROGRAMS } from '../../chains/solana/programs.ts'
import { baseUnits } from '../../core/amount.ts'
import type { Offer } from '../../core/offer.ts'
import { itsPlaces } from '../../protocols/axelar/its-solana.ts'

/** An address without an account. */
const FRESH = 'GrDMoeqMLFjeXQ24H56S1RLgT4R76jsuWCd6SvXyGPQ5'

let world: BackendWorld
let destination: ItsDestination
before(async () => {
  world = await startBackendWorld({ withPaymentChains: true })
  destination = itsDestination(world, 'solana')
  // The head of a source is followed.
  await world.deps.paymentChains.get(destination.pair.to.chain.chainId)?.start()
})
after(() => world.stop())

for (const [kind, recipientOf] of [
  ['a wallet that holds the token', () => destination.accountAt(1)],
  ['a wallet without any account', () => FRESH],
] as const)
  test(`a transfer from EVM to ${kind} on Solana delivers the exact output, in six decimals`, () =>
    checkExactDelivery(world, destination, {
      recipient: recipientOf(),
      input: 3n * 10n ** 18n + 1_234_567_890_123n,
      output: 3_000_001n,
      dust: '234567890123',
    }))

test('what no wallet owns is not quoted: a token account, a program, and the accounts of the token service', async () => {
  const { its } = destination.chain.chain.tokenReceiver ?? {}
  const { chainId, address } = destination.pair.to.token
  const { tokenId } = world.catalog.token(chainId, address)?.its ?? {}
  assert.ok(its !== undefined && tokenId !== undefined)
  const { root, manager } = itsPlaces(its, tokenId)
  const account = associatedTokenOf(destination.accountAt(1), address, PROGRAMS.token)
  for (const recipient of [account, its, root, manager]) {
    const answer = await pricedQuote(
      backendOf(world, 'its'),
      orderFor(destination.pair, 10n ** 18n, { recipient }),
    )
    assert.equal('reasonCode' in answer && answer.reasonCode, 'not_a_wallet', recipient)
  }
})

test('a transfer is quoted up to the flow limit of Solana, in the decimals of the source', async () => {
  const backend = backendOf(world, 'its')
  const answer = await pricedQuote(
    backend,
    orderFor(destination.pair, 10n ** 24n, { recipient: destination.accountAt(1) }),
  )
  assert.ok('declined' in answer && answer.declined === 'out_of_range' && answer.maximum !== null)
  const { maximum } = answer
  assert.ok(maximum <= 250_000n * 10n ** 18n + 10n ** 12n && maximum > 249_000n * 10n ** 18n, `${maximum}`)
  await offerFor(backend, orderFor(destination.pair, maximum, { recipient: destination.accountAt(1) }))
})

const instructionsOf = ({ actions: [action] }: Offer): SolanaInstructions['instructions'] => {
  assert.ok(action?.payload.type === 'solana_instructions')
  return action.payload.instructions
}

/** Signs instructions with kit alone, in one transaction. Returns its signature and its size. */
const sendFromSolana = async (signed: SolanaInstructions['instructions'], privateKey: string) => {
  const { rpcUrl } = destination.chain
  const rpc = createSolanaRpc(rpcUrl)
  const signer = await createKeyPairSignerFromBytes(getBase58Encoder().encode(privateKey))
  const { value: blockhash } = await rpc.getLatestBlockhash({ commitment: 'confirmed' }).send()
  const instructions = signed.map(toKit)
  const transaction = await signTransactionMessageWithSigners(
    pipe(
      createTransactionMessage({ version: 0 }),
      (empty) => setTransactionMessageFeePayerSigner(signer, empty),
      (paid) => setTransactionMessageLifetimeUsingBlockhash(blockhash, paid),
      (timed) => appendTransactionMessageInstructions(instructions, timed),
    ),
  )
  const wire = getBase64EncodedWireTransaction(transaction)
  await rpc.sendTransaction(wire, { encoding: 'base64', skipPreflight: true }).send()
  return { txHash: getSignatureFromTransaction(transaction), bytes: Buffer.from(wire, 'base64').length }
}

test('a transfer from Solana to EVM is one signature of kit, and delivers the exact output', async () => {
  const backend = backendOf(world, 'its')
  const back = { from: destination.pair.to, to: destination.pair.from }
  const account = destination.chain.accounts[5]
  assert.ok(account)
  const recipient = user(6).address
  const order = orderFor(back, 2_000_003n, { sender: account.address, recipient })
  const offer = await offerFor(backend, order)
  assert.equal(offer.output, 2_000_003n * 10n ** 12n)
  const record = recordOf(order, offer)
  const [paidBefore, heldBefore] = [
    await destination.held(account.address),
    await balance(world, back.to, recipient),
  ]
  const { txHash, bytes } = await sendFromSolana(instructionsOf(offer), account.privateKey)
  assert.ok(bytes <= 1232, `${bytes} bytes`)
  const where = await until(
    async () => backend.locate?.(record, txHash, 'client'),
    (located) => located?.located === 'found',
  )
  assert.ok(where?.located === 'found')
  const lookup = { messageId: where.messageId, sourceChain: record.fromChain }
  const { last } = await follow(backend, record, lookup, 'delivered')
  assert.ok(last.seen === 'delivered')
  assert.equal(last.output.amount, offer.output.toString())
  assert.equal((await balance(world, back.to, recipient)) - heldBefore, offer.output)
  assert.equal(paidBefore - (await destination.held(account.address)), 2_000_003n)
  for (const change of [
    { recipient: user(7).address },
    { sender: destination.accountAt(4) },
    { input: baseUnits(2_000_004n) },
    { createdAt: Date.now() + 3_600_000 },
  ])
    assert.equal((await backend.track({ ...record, ...change }, lookup)).seen, 'mismatched')
  const elsewhere = { ...lookup, messageId: lookup.messageId.replace(/-.*$/, '-1.1') }
  assert.equal((await backend.track(record, elsewhere)).seen, 'mismatched')
})

test('a transaction from Solana that failed ends the transfer if its sender signed exactly the quote', async () => {
  const backend = backendOf(world, 'its')
  const [own, foreign] = [destination.chain.accounts[5], destination.chain.accounts[6]]
  assert.ok(own !== undefined && foreign !== undefined)
  const order = orderFor({ from: destination.pair.to, to: destination.pair.from }, 1_000_000n, {
    sender: own.address,
    recipient: user(6).address,
  })
  const offer = await offerFor(backend, order)
  const record = recordOf(order, offer)
  const quoted = instructionsOf(offer)
  const [transfer] = quoted.slice(-1)
  assert.ok(transfer)
  const heldBefore = await destination.held(own.address)
  const failing = { ...transfer, data: '' }
  // Any transaction can name the sender; only the sender can sign.
  const unsigned = { ...transfer, keys: transfer.keys.map((key) => ({ ...key, isSigner: false })) }
  const other = { ...record, binding: { ...record.binding, gasValue: '1' } }
  for (const [sent, key, quote, seen] of [
    [[...quoted, failing], own.privateKey, record, 'failed'],
    [[...quoted, failing], own.privateKey, other, 'mismatched'],
    [[failing], own.privateKey, record, 'mismatched'],
    [[unsigned], foreign.privateKey, record, 'mismatched'],
  ] as const) {
    const { txHash } = await sendFromSolana([...sent], key)
    const lookup = { messageId: txHash, sourceChain: record.fromChain }
    const last = await until(
      async () => backend.track(quote, lookup),
      (observed) => observed.seen !== 'nothing' && observed.seen !== 'unreadable',
    )
    assert.equal(last.seen, seen)
    const where = await backend.locate?.(quote, txHash, 'client')
    assert.deepEqual(
      where,
      seen === 'failed' ? { located: 'found', messageId: txHash } : { located: 'mismatched' },
    )
    if (last.seen === 'failed')
      assert.deepEqual(last.details, { stage: 'source_reverted', reasonCode: 'source_tx_reverted' })
  }
  assert.equal(await destination.held(own.address), heldBefore)
})
