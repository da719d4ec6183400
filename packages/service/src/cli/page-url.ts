import type { StatusQuery } from '@openrfq/sdk'

/** The page of a transfer at the service of a base URL, with the message where the look-up names one. */
export const pageUrl = (baseUrl: string, { quoteId, messageId, sourceChain }: StatusQuery): string => {
  const url = new URL(`t/${encodeURIComponent(quoteId)}`, baseUrl.endsWith('/') ? baseUrl : `${baseUrl}/`)
  if (messageId !== undefined) url.searchParams.set('messageId', messageId)
  if (sourceChain !== undefined) url.searchParams.set('sourceChain', sourceChain)
  return url.href
}
