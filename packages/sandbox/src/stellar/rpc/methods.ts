import { xdr } from '@stellar/stellar-sdk/base'
import { PROTOCOL_VERSION } from '../closed-ledger.ts'
import { entryDataOf, keyOfLedgerKey } from '../entry-xdr.ts'
import type { SimulatedStellar } from '../simulated-stellar.ts'
import { BASE_FEE } from '../transaction-check.ts'
import { getEvents } from './events-method.ts'
import { getLatestLedger, getLedgers, getTransaction, getTransactions } from './history-methods.ts'
import { EnvelopeParameters, LedgerEntriesParameters, parseParameters } from './parameters.ts'
import { RPC_CODES, RpcFault } from './rpc-fault.ts'
import { simulateTransaction } from './simulate-method.ts'

/** Answers one method of Stellar RPC; throws RpcFault for an invalid call. */
export type RpcMethod = (parameters: unknown) => unknown

type MethodDeps = {
  readonly ledger: SimulatedStellar
  readonly networkPassphrase: string
  readonly retainedLedgers: number
  readonly friendbotUrl: string
}

const decodeKey = (text: string): xdr.LedgerKey => {
  try {
    return xdr.LedgerKey.fromXdr(text, 'base64')
  } catch {
    throw new RpcFault(RPC_CODES.invalidParameters, `cannot unmarshal key value ${text}`)
  }
}

const getLedgerEntries = (ledger: SimulatedStellar, parameters: unknown) => {
  const { keys } = parseParameters(LedgerEntriesParameters, parameters)
  const entries = keys.flatMap((text) => {
    const key = keyOfLedgerKey(decodeKey(text))
    const stored = key === undefined ? undefined : ledger.find(key)
    if (stored === undefined) return []
    const { entry, modifiedIn } = stored
    return [{ key: text, xdr: entryDataOf(entry).toXdr('base64'), lastModifiedLedgerSeq: modifiedIn }]
  })
  return { entries, latestLedger: ledger.history.latest().sequence }
}

const sendTransaction = (ledger: SimulatedStellar, parameters: unknown) => {
  const { transaction } = parseParameters(EnvelopeParameters, parameters)
  const answer = ledger.submit(transaction)
  if (answer === undefined) throw new RpcFault(RPC_CODES.invalidParameters, 'invalid_xdr')
  const latest = ledger.history.latest()
  return {
    status: answer.status,
    hash: answer.id,
    latestLedger: latest.sequence,
    latestLedgerCloseTime: latest.closeTime.toString(),
    ...(answer.status === 'ERROR' ? { errorResultXdr: answer.result.toXdr('base64') } : {}),
  }
}

const feeStatistics = (ledger: SimulatedStellar) => {
  const fee = BASE_FEE.toString()
  const percentiles = Object.fromEntries(
    ['p10', 'p20', 'p30', 'p40', 'p50', 'p60', 'p70', 'p80', 'p90', 'p95', 'p99'].map((name) => [name, fee]),
  )
  const inclusionFee = {
    max: fee,
    min: fee,
    mode: fee,
    ...percentiles,
    transactionCount: '0',
    ledgerCount: 1,
  }
  return {
    sorobanInclusionFee: inclusionFee,
    inclusionFee,
    latestLedger: ledger.history.latest().sequence,
  }
}

/** All methods of Stellar RPC, by name. */
export const createRpcMethods = (deps: MethodDeps): ReadonlyMap<string, RpcMethod> => {
  const { ledger, networkPassphrase, retainedLedgers, friendbotUrl } = deps
  const { history } = ledger
  return new Map<string, RpcMethod>([
    [
      'getHealth',
      () => ({
        status: 'healthy',
        latestLedger: history.latest().sequence,
        oldestLedger: history.oldest().sequence,
        ledgerRetentionWindow: retainedLedgers,
      }),
    ],
    [
      'getNetwork',
      () => ({ friendbotUrl, passphrase: networkPassphrase, protocolVersion: PROTOCOL_VERSION }),
    ],
    [
      'getVersionInfo',
      () => ({
        version: 'openrfq-sandbox',
        commitHash: '',
        buildTimestamp: '',
        captiveCoreVersion: '',
        protocolVersion: PROTOCOL_VERSION,
      }),
    ],
    ['getLatestLedger', () => getLatestLedger(history)],
    ['getFeeStats', () => feeStatistics(ledger)],
    ['getLedgerEntries', (parameters) => getLedgerEntries(ledger, parameters)],
    ['getTransaction', (parameters) => getTransaction(history, parameters)],
    ['getTransactions', (parameters) => getTransactions(history, parameters)],
    ['getLedgers', (parameters) => getLedgers(history, parameters)],
    ['getEvents', (parameters) => getEvents(history, parameters)],
    ['sendTransaction', (parameters) => sendTransaction(ledger, parameters)],
    ['simulateTransaction', (parameters) => simulateTransaction(ledger, networkPassphrase, parameters)],
  ])
}
