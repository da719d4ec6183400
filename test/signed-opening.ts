import type { Opening } from '@openrfq/sdk'
import { eventually } from 'openrfq/test/eventually.ts'
import type { Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { CHAINS, quoteOf, requestBody, type SandboxService, tokenOn } from './sandbox-service.ts'

type Account = ReturnType<typeof privateKeyToAccount>

/** The body that has the order of a quote opened: dollars of chain A to chain B, signed by their sender. */
export const signedOpening = async (
  world: Pick<SandboxService, 'service' | 'tokens'>,
  sender: { readonly privateKey: Hex },
  recipient: string,
  amount: bigint,
): Promise<{ readonly quoteId: string; readonly method: string; readonly signatures: readonly Hex[] }> => {
  const account = privateKeyToAccount(sender.privateKey)
  const from = tokenOn(world, CHAINS.a, 'intent', /^USDC$/)
  const to = tokenOn(world, CHAINS.b, 'intent', /USDC/)
  const body = requestBody({ from, to, amount }, account.address, recipient)
  return eventually('a quote has openings', async () => {
    const { quoteId, backend } = await quoteOf(world, 'intent', body)
    // CAST: the API's description, which every answer is checked against, has this type.
    const [opening] = (backend.metadata['openings'] ?? []) as readonly Opening[]
    if (opening === undefined) return undefined
    const signatures = await Promise.all(
      // CAST: typed data as JSON, whose numbers are texts.
      opening.typedData.map((data) => account.signTypedData(data as Parameters<Account['signTypedData']>[0])),
    )
    return { quoteId, method: opening.method, signatures }
  })
}
