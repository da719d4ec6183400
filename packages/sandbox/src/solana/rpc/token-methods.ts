import type { Address } from '@solana/kit'
import { z } from 'zod'
import type { Block } from '../block.ts'
import { AccountFormat, encodeAccount } from '../encoded-account.ts'
import { uiTokenAmount } from '../parsed-account.ts'
import { invalidParams } from '../rpc-error.ts'
import type { SimulatedSolana } from '../simulated-solana.ts'
import {
  type MintFields,
  readMint,
  readTokenAccount,
  TOKEN_PROGRAMS,
  type TokenAccountFields,
} from '../token-account.ts'
import { readerAt } from './account-methods.ts'
import { AddressParam, ContextParam, contextBlock, inContext, type Methods, parseParams } from './params.ts'

const TokenFilter = z.union([z.object({ mint: AddressParam }), z.object({ programId: AddressParam })])
const TokenConfig = z.object({ ...ContextParam.shape, ...AccountFormat.shape })
const AddressAndContext = z.tuple([AddressParam, ContextParam.nullable()])
const MAX_LARGEST = 20

const mintAt = (cluster: SimulatedSolana, block: Block, mint: Address): MintFields => {
  const fields = readMint(cluster.readAt(block, mint))
  if (fields === null) throw invalidParams('Invalid param: could not find mint')
  return fields
}

const programsOf = (
  cluster: SimulatedSolana,
  block: Block,
  filter: z.infer<typeof TokenFilter>,
): readonly Address[] => {
  if ('mint' in filter) {
    mintAt(cluster, block, filter.mint)
    const program = cluster.readAt(block, filter.mint)?.owner
    return program === undefined ? [] : [program]
  }
  if (TOKEN_PROGRAMS[filter.programId] === undefined)
    throw invalidParams('Invalid param: unrecognized Token program id')
  return [filter.programId]
}

const findTokenAccounts = (
  cluster: SimulatedSolana,
  block: Block,
  programs: readonly Address[],
  wanted: (fields: TokenAccountFields) => boolean,
) =>
  programs
    .flatMap((program) => cluster.ownedAt(block, program))
    .flatMap((pubkey) => {
      const account = cluster.readAt(block, pubkey)
      const fields = readTokenAccount(account)
      return account !== null && fields !== null && wanted(fields) ? [{ pubkey, account, fields }] : []
    })

const tokenAccountsBy =
  (cluster: SimulatedSolana, member: 'owner' | 'delegate') =>
  (params: readonly unknown[]): unknown => {
    const schema = z.tuple([AddressParam, TokenFilter, TokenConfig.nullable()])
    const [holder, filter, config] = parseParams(schema, params, 3)
    const block = contextBlock(cluster, config)
    const read = readerAt(cluster, block)
    const found = findTokenAccounts(
      cluster,
      block,
      programsOf(cluster, block, filter),
      (fields) => fields[member] === holder && (!('mint' in filter) || fields.mint === filter.mint),
    )
    return inContext(
      block,
      found.map(({ pubkey, account }) => ({ account: encodeAccount(account, config, read), pubkey })),
    )
  }

/** Methods for SPL tokens and their accounts. Source: solana.com/docs/rpc/http. */
export const tokenMethods = (cluster: SimulatedSolana): Methods => ({
  getTokenAccountBalance: (params) => {
    const [address, config] = parseParams(AddressAndContext, params, 2)
    const block = contextBlock(cluster, config)
    const account = cluster.readAt(block, address)
    if (account === null) throw invalidParams('Invalid param: could not find account')
    const fields = readTokenAccount(account)
    if (fields === null) throw invalidParams('Invalid param: not a Token account')
    return inContext(block, uiTokenAmount(fields.amount, mintAt(cluster, block, fields.mint).decimals))
  },
  getTokenSupply: (params) => {
    const [address, config] = parseParams(AddressAndContext, params, 2)
    const block = contextBlock(cluster, config)
    if (cluster.readAt(block, address) === null) throw invalidParams('Invalid param: could not find account')
    const mint = readMint(cluster.readAt(block, address))
    if (mint === null) throw invalidParams('Invalid param: not a Token mint')
    return inContext(block, uiTokenAmount(mint.supply, mint.decimals))
  },
  getTokenLargestAccounts: (params) => {
    const [address, config] = parseParams(AddressAndContext, params, 2)
    const block = contextBlock(cluster, config)
    const { decimals } = mintAt(cluster, block, address)
    const programs = programsOf(cluster, block, { mint: address })
    const found = findTokenAccounts(cluster, block, programs, ({ mint }) => mint === address)
    const largest = found
      .sort((one, other) => (one.fields.amount > other.fields.amount ? -1 : 1))
      .slice(0, MAX_LARGEST)
    return inContext(
      block,
      largest.map(({ pubkey, fields }) => ({ address: pubkey, ...uiTokenAmount(fields.amount, decimals) })),
    )
  },
  getTokenAccountsByOwner: tokenAccountsBy(cluster, 'owner'),
  getTokenAccountsByDelegate: tokenAccountsBy(cluster, 'delegate'),
})
