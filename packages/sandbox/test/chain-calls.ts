import assert from 'node:assert/strict'
import type { PrivateAnvil } from 'openrfq/test/private-anvil.ts'
import {
  type Abi,
  decodeErrorResult,
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  hexToBigInt,
  type Log,
  numberToHex,
  parseEventLogs,
  type RpcLog,
  zeroAddress,
} from 'viem'

/** A transaction request. The chain impersonates `from`; gas is free. */
export type Call = {
  readonly from: Hex
  readonly to: Hex
  readonly data: Hex
  readonly value?: bigint
  readonly gas?: bigint
}

/** An event with its arguments by name. */
export type Event = {
  readonly address: Hex
  readonly eventName: string
  readonly args: Readonly<Record<string, unknown>>
}

/** The result of a transaction: its events, or undefined when it reverted. */
export type Sent = { readonly txHash: Hex; readonly events: readonly Event[] | undefined }

/** One chain under test. Times are seconds since 1970. */
export type Chain = {
  readonly number: number
  readonly rpcUrl: string
  readonly rpc: PrivateAnvil['rpc']
  readonly encode: (functionName: string, args: readonly unknown[]) => Hex
  readonly send: (call: Call) => Promise<Sent>
  /** Sends a transaction that must succeed and returns its events. */
  readonly run: (call: Call) => Promise<readonly Event[]>
  /** The name of the error a call reverts with, or undefined when it would succeed. */
  readonly refusal: (call: Call, atSeconds?: number) => Promise<string | undefined>
  readonly read: (to: Hex, functionName: string, args: readonly unknown[]) => Promise<unknown>
  readonly now: () => Promise<number>
  readonly setNextTime: (seconds: number) => Promise<void>
  /** Base units of a token; the zero address is the native asset. */
  readonly balanceOf: (token: Hex, account: Hex) => Promise<bigint>
}

const GAS = 12_000_000n

type Answer = {
  readonly result?: unknown
  readonly error?: { readonly message: string; readonly data?: Hex }
}
type Receipt = { readonly status: Hex; readonly transactionHash: Hex; readonly logs: readonly RpcLog[] }

const post = async (rpcUrl: string, method: string, params: readonly unknown[]): Promise<Answer> => {
  const response = await fetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: AbortSignal.timeout(120_000),
  })
  // CAST: anvil's answer to a JSON-RPC call.
  return (await response.json()) as Answer
}

const wire = ({ value = 0n, gas = GAS, ...call }: Call) => ({
  ...call,
  value: numberToHex(value),
  gas: numberToHex(gas),
  gasPrice: '0x0',
})

const errorName = (abi: Abi, error: NonNullable<Answer['error']>): string => {
  if (error.data === undefined || error.data === '0x') return error.message
  const { errorName: name, args } = decodeErrorResult({ abi, data: error.data })
  return name === 'Error' ? String(args?.[0]) : name
}

const eventsOf = (abi: Abi, logs: readonly RpcLog[]): readonly Event[] =>
  // CAST: a log of JSON-RPC has the topics and data of viem's, and parsing reads nothing else; an ABI read from a file
  // gives the events no static type.
  parseEventLogs({ abi, logs: logs as unknown as Log[] }) as unknown as readonly Event[]

const senders = (abi: Abi, rpcUrl: string) => {
  const send = async (call: Call): Promise<Sent> => {
    const { result, error } = await post(rpcUrl, 'eth_sendTransactionSync', [wire(call)])
    assert.equal(error, undefined)
    // CAST: anvil's receipt.
    const { status, transactionHash, logs } = result as Receipt
    return { txHash: transactionHash, events: status === '0x1' ? eventsOf(abi, logs) : undefined }
  }
  const refusal = async (call: Call, atSeconds?: number): Promise<string | undefined> => {
    const overrides = atSeconds === undefined ? [] : [{}, { time: numberToHex(atSeconds) }]
    const { error } = await post(rpcUrl, 'eth_call', [wire(call), 'latest', ...overrides])
    return error === undefined ? undefined : errorName(abi, error)
  }
  const run = async (call: Call): Promise<readonly Event[]> => {
    const { events } = await send(call)
    assert.ok(events, `reverted: ${events === undefined ? await refusal(call) : ''}`)
    return events
  }
  return { send, refusal, run }
}

/** Opens a chain whose calls, events and errors are decoded by one merged ABI. */
export const openChain = (number: number, anvil: PrivateAnvil, abi: Abi): Chain => {
  const encode = (functionName: string, args: readonly unknown[]): Hex =>
    encodeFunctionData({ abi, functionName, args })
  const read = async (to: Hex, functionName: string, args: readonly unknown[]): Promise<unknown> => {
    const data = encode(functionName, args)
    const { result, error } = await post(anvil.rpcUrl, 'eth_call', [{ to, data }, 'latest'])
    assert.equal(error, undefined)
    // CAST: eth_call answers hex.
    return decodeFunctionResult({ abi, functionName, data: result as Hex })
  }
  const balanceOf = async (token: Hex, account: Hex): Promise<bigint> =>
    // CAST: eth_getBalance answers hex, and balanceOf a uint256.
    token === zeroAddress
      ? hexToBigInt((await anvil.rpc('eth_getBalance', account, 'latest')) as Hex)
      : ((await read(token, 'balanceOf', [account])) as bigint)
  const now = async (): Promise<number> => {
    // CAST: anvil's block.
    const block = (await anvil.rpc('eth_getBlockByNumber', 'latest', false)) as { readonly timestamp: Hex }
    return Number(block.timestamp)
  }
  const setNextTime = async (seconds: number): Promise<void> => {
    await anvil.rpc('evm_setNextBlockTimestamp', numberToHex(seconds))
  }
  const { rpc, rpcUrl } = anvil
  return { number, rpcUrl, rpc, encode, ...senders(abi, rpcUrl), read, now, setNextTime, balanceOf }
}
