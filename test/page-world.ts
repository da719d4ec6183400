import { join } from 'node:path'
import { QuoteRequest } from 'openrfq/src/core/order.ts'
import { notFound } from 'openrfq/src/core/status.ts'
import { readPages } from 'openrfq/src/http/pages.ts'
import { createStatusFeed } from 'openrfq/src/service/status-feed.ts'
import type { UseCases } from 'openrfq/src/service/use-cases.ts'
import { startTableServer } from 'openrfq/test/table-server.ts'
import { createTableUseCases, GOOD_REQUEST } from 'openrfq/test/table-use-cases.ts'
import { SCENE_CHAINS, SCENE_TOKENS, transferScenes } from 'openrfq/test/transfer-scenes.ts'

/** Hostile as HTML, as a script, and in the direction of text. */
const HOSTILE = '<script>alert(2)</script><img src=x onerror=alert(1)>\u202e"'

/** One quote of a solver with a hostile name and a hostile warning, for any request; on Stellar by a plain payment. */
const hostileQuotes: UseCases['requestQuotes'] = async ({ fromChain, fromToken, toChain, toToken }) => {
  const quotes = await createTableUseCases().requestQuotes(QuoteRequest.parse(GOOD_REQUEST), 'a')
  const [createdAt, pair] = [Date.now(), { fromChain, fromToken, toChain, toToken }]
  return quotes.map((quote) => ({
    ...quote,
    record: { ...quote.record, ...pair, createdAt, quoteExpiresAt: createdAt + 60_000, backend: 'intent' },
    offer: {
      ...quote.offer,
      actions: quote.offer.actions.map((action) =>
        fromChain.startsWith('stellar:') ? { ...action, ...paymentOf(fromToken) } : action,
      ),
      backend: 'intent',
      tracking: { swapId: HOSTILE },
      metadata: {
        warnings: [{ code: 'hostile', message: HOSTILE }],
        solver: { name: HOSTILE, address: HOSTILE },
      },
    },
  }))
}

const paymentOf = (token: string) =>
  ({
    type: 'deposit_address',
    payload: { type: 'deposit_address', address: 'M', amount: '1', token },
  }) as const

/** The logos of the first chain and token alone can be had. */
const logoOf: UseCases['getLogo'] = async (chainId, token) =>
  chainId === SCENE_CHAINS[0]?.chainId && (token === undefined || token === SCENE_TOKENS[0]?.address)
    ? { type: 'image/svg+xml', bytes: Buffer.from(LOGO) }
    : undefined
const LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><circle cx="4" cy="4" r="4" fill="#27c"/></svg>'

const PAGES = join(import.meta.dirname, '../packages/web/built')

/** A server of the pages whose transfers are the scenes: `/t/<name>` shows one, and `show` changes what a name shows. They are those of a moment. */
export const startPageWorld = async (at = Date.now()) => {
  const scenes = new Map(Object.entries(transferScenes(at)))
  const readStatus = (quoteId: string) => scenes.get(quoteId)?.status ?? notFound(quoteId, 'unknown_quote')
  let revision = 0
  const feed = createStatusFeed({
    // CAST: the scenes are statuses as clients read them.
    readStatus: async ({ quoteId }) => ({
      revision,
      status: readStatus(quoteId) as ReturnType<typeof notFound>,
    }),
    log: () => undefined,
  })
  const server = await startTableServer({
    pages: { files: readPages(PAGES), sandboxOrigins: [], nodes: [] },
    useCases: {
      ...createTableUseCases(),
      // CAST: as clients read them.
      listChains: () => SCENE_CHAINS as ReturnType<ReturnType<typeof createTableUseCases>['listChains']>,
      listTokens: ({ chain }) =>
        SCENE_TOKENS.filter(({ chainId }) => chain === undefined || chainId === chain),
      requestQuotes: hostileQuotes,
      getLogo: logoOf,
      followStatus: feed.follow,
      getTransfer: async ({ quoteId }) => {
        const scene = scenes.get(quoteId)
        const answer = { quote: scene?.quote ?? null, status: readStatus(quoteId) }
        // CAST: as clients read it.
        return answer as Awaited<ReturnType<ReturnType<typeof createTableUseCases>['getTransfer']>>
      },
    },
  })
  return {
    url: server.url,
    close: server.close,
    names: [...scenes.keys()],
    /** Shows another scene's status under a name, as a transfer that goes on. */
    show: (name: string, as: string) => {
      const [before, after] = [scenes.get(name), scenes.get(as)]
      if (before === undefined || after === undefined) throw new Error(`no scene ${name} or ${as}`)
      scenes.set(name, { quote: before.quote, status: after.status })
      revision += 1
      feed.changed(name)
    },
  }
}
