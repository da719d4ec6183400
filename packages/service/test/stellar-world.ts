import assert from 'node:assert/strict'
import { type AnswerCall, RpcAnswer, type RpcCall } from '@openrfq/sandbox/src/rpc/rpc-message.ts'
import { startStellarNode } from '@openrfq/sandbox/src/stellar/index.ts'
import { ISSUER_KEY } from '@openrfq/sandbox/src/stellar/keys.ts'
import {
  Asset,
  type FeeBumpTransaction,
  Keypair,
  Memo,
  Operation,
  rpc,
  type Transaction,
  TransactionBuilder,
  type xdr,
} from '@stellar/stellar-sdk'
import { z } from 'zod'
import type { PaymentChain } from '../src/chains/payment-chain.ts'
import { createStellarChain } from '../src/chains/stellar/index.ts'
import type { StellarTiming } from '../src/chains/stellar/timing.ts'
import type { StellarToken } from '../src/chains/stellar/token-assets.ts'
import { until } from './eventually.ts'
import { type LocalServer, startLocalServer } from './local-server.ts'

/** Deadline of a test's waits. */
const PATIENCE_MS = 120_000
/** Base units of one whole unit of any asset. */
export const UNIT = 10_000_000n
/** The sandbox's USDC as the SDK names it. */
export const USDC = new Asset('USDC', ISSUER_KEY.address)
/** The node's retention window in ledgers. */
export const RETAINED_LEDGERS = 60

const START = Date.parse('2026-01-01T00:00:00Z')

/** Changes the result of a method; undefined closes the connection. */
export type Rewrite = (method: string, result: Readonly<Record<string, unknown>>) => object | undefined

const Request = z.object({ method: z.string() })
const Answer = z.looseObject({ result: z.record(z.string(), z.unknown()).optional() })

const startRelayTo = (rpcUrl: string, rewrite: Rewrite): Promise<LocalServer> =>
  startLocalServer(async ({ body }, response) => {
    const answer = Answer.parse(await (await fetch(rpcUrl, { method: 'POST', body })).json())
    // A client of an endpoint that had the port before may ask in another form.
    const { data: call } = Request.safeParse(JSON.parse(body))
    if (call === undefined || answer.result === undefined) {
      response.end(JSON.stringify(answer))
      return
    }
    const result = rewrite(call.method, answer.result)
    if (result === undefined) response.destroy()
    else response.end(JSON.stringify({ ...answer, result }))
  })

/** Answers a call by asking the honest node, or otherwise. */
export type AnswerInstead = (call: RpcCall, honest: AnswerCall) => Promise<RpcAnswer>

const startRelayBefore = (rpcUrl: string, instead: AnswerInstead): Promise<LocalServer> =>
  startLocalServer(async ({ body }, response) => {
    const { id, method, params } = z
      .object({ id: z.unknown(), method: z.string(), params: z.unknown() })
      .parse(JSON.parse(body))
    const honest: AnswerCall = async (call) => {
      const asked = JSON.stringify({ jsonrpc: '2.0', id: 1, ...call })
      return RpcAnswer.parse(await (await fetch(rpcUrl, { method: 'POST', body: asked })).json())
    }
    response.end(JSON.stringify({ jsonrpc: '2.0', id, ...(await instead({ method, params }, honest)) }))
  })

/** A payment as the SDK's operations write it; the amount in whole units. */
export const pay = (destination: string, amount: string, asset = Asset.native()): xdr.Operation =>
  Operation.payment({ destination, asset, amount })

const transactions = (server: rpc.Server, networkPassphrase: string) => {
  const build = async (
    signer: Keypair,
    operations: readonly xdr.Operation[],
    memo: Memo = Memo.none(),
  ): Promise<Transaction> => {
    const account = await server.getAccount(signer.publicKey())
    const builder = new TransactionBuilder(account, { fee: '1000', networkPassphrase, memo })
    for (const operation of operations) builder.addOperation(operation)
    const transaction = builder.setTimeout(0).build()
    transaction.sign(signer)
    return transaction
  }
  const send = async (transaction: Transaction | FeeBumpTransaction): Promise<string> => {
    const { status, hash } = await server.sendTransaction(transaction)
    assert.equal(status, 'PENDING')
    return hash
  }
  const submit = async (...call: Parameters<typeof build>): Promise<string> => send(await build(...call))
  return { build, send, submit }
}

/** A Stellar node that closes ledgers when asked to, by its own clock, and a client that reads it. */
export const openStellarWorld = async () => {
  let clock = START
  const logged: (readonly [string, string])[] = []
  const started: { readonly stop: () => unknown }[] = []
  const node = await startStellarNode({
    log: () => undefined,
    now: () => clock,
    closeMs: 0,
    retainedLedgers: RETAINED_LEDGERS,
  })
  started.push(node)
  const catalogue = node.assets.map(({ address, asset }): StellarToken => {
    const [code = '', issuer] = asset.split(':')
    return { address, ...(issuer === undefined ? {} : { stellar: { code, issuer } }) }
  })
  /** A client that reads from the URLs, not started. */
  const connect = (
    rpcUrls: readonly string[],
    tokens = catalogue,
    timing: Partial<StellarTiming> = {},
  ): PaymentChain => {
    const connected = createStellarChain({
      claimableBalances: true,
      chainId: node.chainId,
      rpcUrls,
      passphrase: node.networkPassphrase,
      tokens,
      now: () => clock,
      log: (level, message) => {
        logged.push([level, message])
      },
      timing: {
        pollMs: 20,
        readMs: PATIENCE_MS,
        paymentsMs: PATIENCE_MS,
        transactionMs: PATIENCE_MS,
        ...timing,
      },
    })
    started.push(connected)
    return connected
  }
  const chain = connect([node.rpcUrl])
  await chain.start()
  const server = new rpc.Server(node.rpcUrl, { allowHttp: true })

  return {
    node,
    chain,
    server,
    logged,
    connect,
    until,
    ...transactions(server, node.networkPassphrase),
    now: () => clock,
    passSeconds: (seconds: number): void => {
      clock += seconds * 1000
    },
    /** Closes a ledger after a second or more, and waits until the client has read it. */
    closeLedger: async (seconds = 1): Promise<void> => {
      const number = chain.head()?.number ?? 0n
      clock += seconds * 1000
      node.closeLedger()
      await until(() => (chain.head()?.number ?? 0n) > number)
    },
    height: (): bigint => {
      const head = chain.head()
      assert.ok(head)
      return head.number
    },
    user: (index: number): Keypair => {
      const key = node.accounts[index]
      assert.ok(key)
      return Keypair.fromSecret(key.privateKey)
    },
    token: (symbol: string): string => {
      const found = node.assets.find((asset) => asset.symbol === symbol)
      assert.ok(found)
      return found.address
    },
    /** A proxy that shows the node as another server. */
    startRelay: async (rewrite: Rewrite): Promise<string> => {
      const relay = await startRelayTo(node.rpcUrl, rewrite)
      started.push(relay)
      return relay.url
    },
    /** A proxy before the node that answers each call as it likes. */
    startRelayOf: async (instead: AnswerInstead): Promise<string> => {
      const relay = await startRelayBefore(node.rpcUrl, instead)
      started.push(relay)
      return relay.url
    },
    close: async (): Promise<void> => {
      for (const part of started.reverse()) await part.stop()
    },
  }
}

/** The result of `openStellarWorld`. */
export type StellarWorld = Awaited<ReturnType<typeof openStellarWorld>>
