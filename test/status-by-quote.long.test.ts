import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eventually } from 'openrfq/test/eventually.ts'
import {
  askNode,
  assertInOrder,
  chainClients,
  fetchJson,
  follow,
  messageIdOf,
  sendAction,
  type WireQuote,
  type WireStatus,
} from 'openrfq/test/wallet.ts'
import { concat, type Hex, pad, size, slice, type TransactionReceipt } from 'viem'
import {
  accountAt,
  CHAINS,
  evmService,
  quoteOf,
  requestBody,
  type SandboxService,
  tokenOn,
} from './sandbox-service.ts'

let world: SandboxService
before(async () => {
  world = await evmService.start()
})
after(evmService.stop)

/** Gas of one action, so that no endpoint that is behind estimates it. */
const ACTION_GAS = 2_000_000n
const AMOUNT = 4n * 10n ** 17n

/** Calls the address in the first word of its calldata with the rest. */
const SMART_WALLET_CODE = '0x6020360380602060003760006000826000346000355af1601e57600080fd5b00'

type Action = WireQuote['actions'][number]
/** Who sends a quote's actions: an account itself, or through its smart wallet. */
type User = { readonly address: Hex; readonly send: (action: Action) => Promise<Hex> }

const rpc = (method: string, ...params: readonly unknown[]): Promise<unknown> =>
  askNode(world.sandbox, CHAINS.a, method, ...params)

const receiptOf = async (hash: Hex): Promise<TransactionReceipt> => {
  const { reader } = chainClients(world.sandbox, CHAINS.a)
  const receipt = await reader.waitForTransactionReceipt({ hash })
  assert.equal(receipt.status, 'success')
  return receipt
}

const accountUser = (index: number): User => {
  const { address, privateKey } = accountAt(world, index)
  return { address, send: (action) => sendAction(world.sandbox, action, privateKey, { gas: ACTION_GAS }) }
}

/** The smart wallet of an account at the given address. */
const walletUser = async (address: Hex, index: number): Promise<User> => {
  await rpc('anvil_setCode', address, SMART_WALLET_CODE)
  const { send } = accountUser(index)
  return {
    address,
    send: (action) => {
      const { to, data } = action.payload
      return send({ ...action, payload: { ...action.payload, to: address, data: concat([pad(to), data]) } })
    },
  }
}

const tokensOf = () => ({
  from: tokenOn(world, CHAINS.a, 'gateway', /^WETH$/),
  to: tokenOn(world, CHAINS.b, 'gateway', /^axlWETH$/),
})

const fund = async ({ address }: User): Promise<void> => {
  const asked = { chainId: CHAINS.a, token: tokensOf().from.address, address, amount: AMOUNT.toString() }
  const { status, body } = await fetchJson(`${world.service.url}/sandbox/faucet`, asked)
  assert.equal(status, 200, JSON.stringify(body))
}

const ask = (backend: string, { address }: User): Promise<WireQuote> =>
  quoteOf(
    world,
    backend,
    requestBody({ ...tokensOf(), amount: AMOUNT }, address, accountAt(world, 9).address),
  )

const statusOf = async (quoteId: string, lookup: Record<string, string> = {}): Promise<WireStatus> => {
  const query = new URLSearchParams({ quoteId, ...lookup })
  return (await fetchJson<WireStatus>(`${world.service.url}/v1/rfq/status?${query}`)).body
}

const approve = async ({ send }: User, { actions }: WireQuote): Promise<void> => {
  for (const action of actions) if (action.type === 'approval') await receiptOf(await send(action))
}

/** Sends the last action of both quotes, and mines them. Undefined if the chain mined a block between them. */
const sendInOneBlock = async (
  sent: readonly (readonly [User, WireQuote])[],
): Promise<readonly TransactionReceipt[] | undefined> => {
  await rpc('evm_setAutomine', false)
  const hashes = await Promise.all(
    sent.map(([user, { actions }]) => user.send(actions.at(-1) ?? assert.fail())),
  )
  await rpc('evm_mine')
  await rpc('evm_setAutomine', true)
  const receipts = await Promise.all(hashes.map(receiptOf))
  return new Set(receipts.map(({ blockNumber }) => blockNumber)).size === 1 ? receipts : undefined
}

/** Executes a quote of each user in one block; the first user asked twice. */
const executeTogether = (backend: string, [first, second]: readonly [User, User]) =>
  eventually(`transactions of ${backend} share a block`, async () => {
    for (const user of [first, second]) {
      await fund(user)
      await approve(user, await ask(backend, user))
    }
    const [executed, unused, other] = [
      await ask(backend, first),
      await ask(backend, first),
      await ask(backend, second),
    ]
    const receipts = await sendInOneBlock([
      [first, executed],
      [second, other],
    ])
    return receipts && { executed, unused, other, receipts }
  })

/** Every name of a message that the status accepts beside its full id: the hash, and the log index of the block. */
const namesOf = (messageId: string, { logs }: TransactionReceipt): readonly string[] => {
  const [hash = '', position] = messageId.split('-')
  const log = logs[Number(position)]
  assert.ok(log !== undefined)
  return [hash, messageId, `${hash}-${log.logIndex}`]
}

/** That a message is its quote's by every name of it, and the message of no other quote. */
const checkNames = async (
  quote: WireQuote,
  receipt: TransactionReceipt,
  others: readonly WireQuote[],
): Promise<void> => {
  const messageId = messageIdOf(quote, receipt)
  const sourceChain = quote.input.chain
  for (const name of namesOf(messageId, receipt)) {
    const { state, source } = await statusOf(quote.quoteId, { messageId: name, sourceChain })
    assert.deepEqual([state, source?.messageId], ['DONE', messageId], name)
  }
  const wrong = [
    ...others.map(({ quoteId }) => [quoteId, messageId] as const),
    [quote.quoteId, `${receipt.transactionHash}-900`] as const,
  ]
  for (const [quoteId, name] of wrong) {
    const { state, details } = await statusOf(quoteId, { messageId: name, sourceChain })
    assert.deepEqual([state, details['reasonCode']], ['NOT_FOUND', 'message_of_other_transfer'], name)
  }
}

for (const [index, backend] of ['gateway', 'its', 'gateway-express', 'intent'].entries())
  test(`the quote alone finds its transfer by ${backend} to DONE: through a smart wallet, beside an equal quote, and with another's in its block`, async () => {
    const users = [await walletUser(`0x${'5a'.repeat(19)}${index}0`, 6), accountUser(index)] as const
    const { executed, unused, other, receipts } = await executeTogether(backend, users)
    for (const [at, quote] of [executed, other].entries()) {
      const { states, last } = await follow(world.service.url, { quoteId: quote.quoteId })
      assertInOrder(states, ['AWAITING_DEPOSIT', 'PENDING', 'DONE'])
      assert.equal(last.source?.txHash, receipts[at]?.transactionHash)
      assert.ok(BigInt(last.output?.amount ?? 0) >= BigInt(quote.output.minimumAmount))
    }
    assert.equal((await statusOf(unused.quoteId)).state, 'AWAITING_DEPOSIT')
    if (backend === 'intent') return
    const [ofWallet, ofAccount] = receipts
    assert.ok(ofWallet !== undefined && ofAccount !== undefined)
    await checkNames(executed, ofWallet, [unused, other])
    await checkNames(other, ofAccount, [executed, unused])
  })

test('an untagged payment that is named under two equal quotes is the transfer of the first alone', async () => {
  const user = accountUser(4)
  await fund(user)
  const quotes = [await ask('gateway', user), await ask('gateway', user)] as const
  const [named, newest] = quotes
  await approve(user, named)
  const { payload, ...action } = named.actions.at(-1) ?? assert.fail()
  const untagged = {
    ...action,
    payload: { ...payload, data: slice(payload.data, 0, size(payload.data) - 16) },
  }
  const receipt = await receiptOf(await user.send(untagged))
  const { last } = await follow(world.service.url, {
    quoteId: named.quoteId,
    messageId: receipt.transactionHash,
  })
  assert.equal(last.source?.messageId, messageIdOf(named, receipt))
  await checkNames(named, receipt, [newest])
  assert.equal((await statusOf(newest.quoteId)).state, 'AWAITING_DEPOSIT')
})
