import * as z from 'zod/mini'

/**
 * Text that is not among the values this version knows; a newer service sent it.
 * @example
 * const [chain] = await createClient({ baseUrl: 'https://rfq.example' }).getChains()
 * const family: 'evm' | 'solana' | 'stellar' | Unlisted | undefined = chain?.chainType
 */
export type Unlisted = string & z.core.$brand<'unlisted'>

/** The known values, and any other text as it was sent: an addition to a list never makes an answer unusable. */
export const orUnlisted = <Known extends z.ZodMiniType<string>>(known: Known) =>
  z.union([known, z.string().brand<'unlisted'>()])

/**
 * A member of `details`, `metadata` or `tracking` that only informs. It may be absent, and one that is out of shape
 * counts as absent.
 */
export const informational = <Schema extends z.ZodMiniType>(schema: Schema) =>
  z.catch(z.optional(schema), undefined)

/**
 * An object of members that only inform, open for members that this version does not know. Members that count as absent
 * are absent from the result too.
 */
export const informationalObject = <Shape extends z.core.$ZodLooseShape>(shape: Shape) => {
  const schema = z.looseObject(shape)
  type Members = z.output<typeof schema>
  // CAST: only members that are undefined, and so optional, are left out.
  const withoutAbsent = (members: Members): Members =>
    Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Members
  return z.pipe(schema, z.transform(withoutAbsent))
}

/**
 * The schema of an object whose `type` is none of the known ones: `type` becomes `unknown`, `wireType` is what was sent,
 * and the other members stay as they are. Parsing its own result again gives the same.
 */
export const unknownVariant = <Sent extends { readonly type: string }>(
  known: readonly string[],
  schema: z.ZodMiniType<Sent>,
) =>
  z.pipe(
    schema.check(z.refine(({ type }) => !known.includes(type), { path: ['type'] })),
    z.transform((sent: Sent) => ({ ...sent, type: 'unknown' as const, wireType: wireTypeOf(sent) })),
  )

const wireTypeOf = ({ type, ...members }: { readonly type: string; readonly wireType?: unknown }): string =>
  type === 'unknown' && typeof members.wireType === 'string' ? members.wireType : type

/** What `wire` describes for the documentation, parsed further as `known`. */
export const parsedAs = <Wire extends z.ZodMiniType, Known extends z.ZodMiniType>(wire: Wire, known: Known) =>
  // CAST: `known` validates its input at run time, so the output type of `wire` does not matter.
  z.pipe(wire, known as unknown as z.ZodMiniType<z.output<Known>, z.output<Wire>>)
