import assert from 'node:assert/strict'
import type { Recording } from 'openrfq/src/http/openapi/recordings.ts'
import { OPERATIONS } from 'openrfq/src/http/operations.ts'
import { fetchJson } from 'openrfq/test/wallet.ts'
import type { FamilyAccount, FamilyChain, FamilyToken } from './families-world.ts'
import type { SandboxService } from './sandbox-service.ts'

export const [CHAIN_A, CHAIN_B, SOLANA, STELLAR] = [/:31337$/, /:31338$/, /^solana:/, /^stellar:/]

export type Sandbox = {
  readonly chains: readonly FamilyChain[]
  readonly accounts: readonly FamilyAccount[]
  readonly tokens: readonly FamilyToken[]
  readonly solvers: readonly { readonly hasQuoted: boolean }[]
}
export type Asked = Pick<Recording, 'operationId' | 'name' | 'query' | 'body'>
export type End = { readonly chain: FamilyChain; readonly token: FamilyToken }

/** A sandbox with its service, and the recordings of both. */
export type Scene = {
  readonly url: string
  readonly world: SandboxService
  readonly sandbox: Sandbox
  readonly recordings: Recording[]
}

/** Sends a request to the service at `url` and checks its answer against the API's description. */
export const ask = async (url: string, asked: Asked): Promise<Recording> => {
  const path = OPERATIONS.find(({ operationId }) => operationId === asked.operationId)?.path
  const query = new URLSearchParams(asked.query).toString()
  const { status, body } = await fetchJson<unknown>(
    `${url}${path}${query === '' ? '' : `?${query}`}`,
    asked.body,
  )
  return { ...asked, status, answer: body }
}

export const record = async ({ url, recordings }: Scene, asked: Asked): Promise<Recording> => {
  const recording = await ask(url, asked)
  recordings.push(recording)
  return recording
}

export const endOf = ({ sandbox }: Scene, chainId: RegExp, symbol: RegExp): End => {
  const chain = sandbox.chains.find((one) => chainId.test(one.chainId))
  const token = sandbox.tokens.find((one) => one.chainId === chain?.chainId && symbol.test(one.symbol))
  assert.ok(chain && token, `${chainId} ${symbol}`)
  return { chain, token }
}

export const accountOf = ({ sandbox }: Scene, { chain }: End, index: number): FamilyAccount => {
  const account = sandbox.accounts.filter(({ chainType }) => chainType === chain.chainType)[index]
  assert.ok(account)
  return account
}

export type Walk = {
  readonly name: string
  readonly from: End
  readonly to: End
  readonly amount: string
  readonly orderType?: 'EXACT_INPUT' | 'EXACT_OUTPUT'
}

export const bodyOf = (scene: Scene, { from, to, amount, orderType = 'EXACT_INPUT' }: Walk) => ({
  fromChain: from.chain.chainId,
  fromToken: from.token.address,
  toChain: to.chain.chainId,
  toToken: to.token.address,
  amount,
  orderType,
  sender: accountOf(scene, from, 0).address,
  recipient: accountOf(scene, to, 1).address,
})
