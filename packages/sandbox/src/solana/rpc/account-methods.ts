import { z } from 'zod'
import type { ReadAccount, StoredAccount } from '../account.ts'
import type { Block } from '../block.ts'
import { AccountFormat, encodeAccount } from '../encoded-account.ts'
import type { SimulatedSolana } from '../simulated-solana.ts'
import { AddressParam, ContextParam, contextBlock, inContext, type Methods, parseParams } from './params.ts'
import { bytesOf } from './wire-bytes.ts'

const AccountConfig = z.object({ ...ContextParam.shape, ...AccountFormat.shape })
const MAX_ADDRESSES = 100
const MAX_SPACE = 10 * 1024 * 1024

const Filter = z.union([
  z.object({ dataSize: z.int().min(0) }),
  z.object({
    memcmp: z.object({
      offset: z.int().min(0),
      bytes: z.string().max(1400),
      encoding: z.enum(['base58', 'base64']).nullish(),
    }),
  }),
])

const ProgramConfig = z.object({
  ...AccountConfig.shape,
  filters: z.array(Filter).max(4).nullish(),
  withContext: z.boolean().nullish(),
})

/** Reads accounts at one block. */
export const readerAt =
  (cluster: SimulatedSolana, block: Block): ReadAccount =>
  (address) =>
    cluster.readAt(block, address)

const matches = ({ bytes }: StoredAccount, filter: z.infer<typeof Filter>): boolean => {
  if ('dataSize' in filter) return bytes.length === filter.dataSize
  const { offset, bytes: text, encoding } = filter.memcmp
  const wanted = bytesOf(text, encoding ?? 'base58')
  return Buffer.compare(bytes.subarray(offset, offset + wanted.length), wanted) === 0
}

/** Methods for accounts of any program. Source: solana.com/docs/rpc/http. */
export const accountMethods = (cluster: SimulatedSolana): Methods => ({
  getAccountInfo: (params) => {
    const [address, config] = parseParams(z.tuple([AddressParam, AccountConfig.nullable()]), params, 2)
    const block = contextBlock(cluster, config)
    const read = readerAt(cluster, block)
    return inContext(block, encodeAccount(read(address), config, read))
  },
  getMultipleAccounts: (params) => {
    const schema = z.tuple([z.array(AddressParam).max(MAX_ADDRESSES), AccountConfig.nullable()])
    const [addresses, config] = parseParams(schema, params, 2)
    const block = contextBlock(cluster, config)
    const read = readerAt(cluster, block)
    const format = { encoding: 'base64' as const, ...config }
    return inContext(
      block,
      addresses.map((address) => encodeAccount(read(address), format, read)),
    )
  },
  getBalance: (params) => {
    const [address, config] = parseParams(z.tuple([AddressParam, ContextParam.nullable()]), params, 2)
    const block = contextBlock(cluster, config)
    return inContext(block, cluster.readAt(block, address)?.lamports ?? 0n)
  },
  getMinimumBalanceForRentExemption: (params) => {
    const schema = z.tuple([z.int().min(0).max(MAX_SPACE), ContextParam.nullable()])
    return cluster.vm.rentLamports(parseParams(schema, params, 2)[0])
  },
  getProgramAccounts: (params) => {
    const [program, config] = parseParams(z.tuple([AddressParam, ProgramConfig.nullable()]), params, 2)
    const block = contextBlock(cluster, config)
    const read = readerAt(cluster, block)
    const filters = config?.filters ?? []
    const found = cluster.ownedAt(block, program).flatMap((pubkey) => {
      const account = read(pubkey)
      if (account === null || !filters.every((filter) => matches(account, filter))) return []
      return [{ account: encodeAccount(account, config, read), pubkey }]
    })
    return config?.withContext === true ? inContext(block, found) : found
  },
})
