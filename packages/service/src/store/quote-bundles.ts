import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress, constants } from 'node:zlib'
import { z } from 'zod'
import type { QuoteId } from '../core/quote-id.ts'
import { parseOrBlame } from './rows.ts'

/** An answer in a bundle: its body as `encodeAnswer` writes it, and the hash of its terms, if one is stored. */
export type BundledAnswer = { readonly body: string; readonly hash: number | undefined }

/** The columns of a bundle. */
export type BundleColumns = { readonly terms: string; readonly body: Uint8Array }

/** Far more than a bundle has. */
const MAX_TEXT_BYTES = 64 * 1024 * 1024

/** Holds the text of most bundles, so that it is decompressed in one step beside the main thread. */
const CHUNK_BYTES = 512 * 1024

/** The smallest for this text, and among the fastest; the window holds most bundles. */
const COMPRESSION = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: 18 },
}

const compress = promisify(brotliCompress)
const decompress = promisify(brotliDecompress)

/**
 * Encodes answers as the columns of one bundle, without loss: in one text the compression finds what they share. Bodies are
 * JSON, so none contains a line break.
 */
export const encodeBundle = async (answers: readonly BundledAnswer[]): Promise<BundleColumns> => ({
  terms: ` ${answers.map(({ hash }) => hash?.toString(HASH_BASE) ?? NO_HASH).join(' ')} `,
  body: await compress(answers.map(({ body }) => body).join(SEPARATOR), COMPRESSION),
})

const SEPARATOR = '\n'
const HASH_BASE = 36
const NO_HASH = '-'

/** A pattern that the terms of a bundle match if one of its answers has the hash. */
export const termsPattern = (hash: number): string => `% ${hash.toString(HASH_BASE)} %`

const StoredBundle = z.object({ terms: z.string(), body: z.instanceof(Uint8Array) })

const readText = (body: Uint8Array): Promise<Buffer> =>
  decompress(body, { maxOutputLength: MAX_TEXT_BYTES, chunkSize: CHUNK_BYTES }).catch((cause: unknown) =>
    parseOrBlame(BUNDLE, () => {
      throw cause
    }),
  )

/**
 * The answers of a stored bundle (columns `terms`, `body`), in the order of their ids. Rejects with StoreError if the row
 * is corrupt.
 */
export const decodeBundle = async (row: unknown): Promise<readonly BundledAnswer[]> => {
  const { terms, body } = parseOrBlame(BUNDLE, () => StoredBundle.parse(row))
  const text = await readText(body)
  const hashes = terms.trim().split(' ')
  return text
    .toString()
    .split(SEPARATOR)
    .map((line, index) => {
      const hash = hashes[index] ?? NO_HASH
      return { body: line, hash: hash === NO_HASH ? undefined : Number.parseInt(hash, HASH_BASE) }
    })
}

/**
 * The body of the answer of a stored bundle that contains the quote, or undefined. Decodes no other answer. Rejects with
 * StoreError if the row is corrupt.
 */
export const bodyInBundle = async (row: unknown, quoteId: QuoteId): Promise<string | undefined> => {
  const text = await readText(parseOrBlame(BUNDLE, () => StoredBundle.parse(row)).body)
  const found = text.indexOf(`"${quoteId}"`)
  if (found < 0) return undefined
  const end = text.indexOf(SEPARATOR, found)
  return text.toString('utf8', text.lastIndexOf(SEPARATOR, found) + 1, end < 0 ? text.length : end)
}

const BUNDLE = 'a bundle of answers'
