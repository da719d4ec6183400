import { createPublicClient, erc20Abi, type Hex, http, zeroAddress } from 'viem'
import { z } from 'zod'

/** Hex text. */
export const Address = z.custom<Hex>((value) => typeof value === 'string' && value.startsWith('0x'))

/** The fields of `GET /sandbox` that tests read. */
export const Description = z.object({
  chains: z.array(
    z.object({
      chainId: z.string(),
      rpcUrl: z.url(),
      axelarName: z.string(),
      contracts: z.object({
        gateway: Address,
        gasService: Address,
        its: Address,
        itsFactory: Address,
        factory: Address,
        settler: Address,
        attestedSettler: Address,
      }),
      exchange: z.object({ factory: Address, wrappedNative: Address }),
    }),
  ),
  accounts: z.array(z.object({ chainType: z.literal('evm'), address: Address, privateKey: Address })),
  solvers: z.array(
    z.object({
      name: z.string(),
      address: Address,
      mode: z.string(),
      hasQuoted: z.boolean(),
      processId: z.int().nullable(),
    }),
  ),
  tokens: z.array(
    z.object({
      chainId: z.string(),
      address: Address,
      symbol: z.string(),
      decimals: z.number(),
      its: z.object({ tokenId: Address }).optional(),
      gateway: z.object({ denom: z.string() }).optional(),
    }),
  ),
})

/** The parsed answer. */
export type Description = z.infer<typeof Description>
/** One of its chains. */
export type Chain = Description['chains'][number]

/** A client of a chain, without caching. */
export const clientOf = ({ rpcUrl }: Pick<Chain, 'rpcUrl'>) =>
  createPublicClient({ transport: http(rpcUrl, { timeout: 120_000 }), cacheTime: 0 })

/** A balance in base units; the zero address is the native asset. */
export const balanceOf = (chain: Chain, token: Hex, holder: Hex): Promise<bigint> =>
  token === zeroAddress
    ? clientOf(chain).getBalance({ address: holder })
    : clientOf(chain).readContract({
        address: token,
        abi: erc20Abi,
        functionName: 'balanceOf',
        args: [holder],
      })
