import type { z } from 'zod'

/** The description of a schema of the interface, and of each of its members or values. */
export type Meaning = {
  readonly schema: z.core.$ZodType
  readonly description: string
  readonly members: Readonly<Record<string, string>>
  readonly values: Readonly<Record<string, string>>
}

/** The members of an object's schema, including one with further parsing. */
export type ShapeOf<Schema> = Schema extends {
  readonly _zod: { readonly def: { readonly shape: infer Shape } }
}
  ? Shape
  : Schema extends { readonly _zod: { readonly def: { readonly in: infer Sent } } }
    ? ShapeOf<Sent>
    : never

/** An object's schema with a text for every member. */
export const objectMeaning = <Schema extends z.core.$ZodType>(
  schema: Schema,
  description: string,
  members: Readonly<Record<keyof ShapeOf<Schema> & string, string>>,
): Meaning => ({ schema, description, members, values: {} })

/** A list of texts with a meaning for every one. */
export const listMeaning = <Schema extends z.core.$ZodType<string>>(
  schema: Schema,
  description: string,
  values: Readonly<Record<z.core.output<Schema>, string>>,
): Meaning => ({ schema, description, members: {}, values })

/** A schema that is neither an object nor a list. */
export const plainMeaning = (schema: z.core.$ZodType, description: string): Meaning => ({
  schema,
  description,
  members: {},
  values: {},
})

type Inner<Schema> = Schema extends { readonly _zod: { readonly def: { readonly innerType: infer Next } } }
  ? Inner<Next>
  : Schema extends { readonly _zod: { readonly def: { readonly element: infer Next } } }
    ? Inner<Next>
    : Schema extends { readonly _zod: { readonly def: { readonly valueType: infer Next } } }
      ? Inner<Next>
      : Schema

/** The schema of a value that may be absent or null, or of the elements of a list or table. */
export const inner = <Schema extends z.core.$ZodType>(schema: Schema): Inner<Schema> => {
  // CAST: every schema is one of zod's own.
  const { def } = (schema as unknown as z.core.$ZodTypes)._zod
  if ('innerType' in def) return inner(def.innerType) as Inner<Schema>
  // CAST: the type follows the same steps.
  if (def.type === 'record') return inner(def.valueType) as Inner<Schema>
  // CAST: the type follows the same steps.
  return (def.type === 'array' ? inner(def.element) : schema) as Inner<Schema>
}

/** The members of an object's schema, including one with further parsing. */
export const shapeOf = <Schema extends z.core.$ZodType>(schema: Schema): ShapeOf<Schema> => {
  // CAST: every schema is one of zod's own.
  const { def } = (schema as unknown as z.core.$ZodTypes)._zod
  // CAST: the type follows the same two steps.
  return (def.type === 'pipe' ? shapeOf(def.in) : def.type === 'object' ? def.shape : {}) as ShapeOf<Schema>
}
