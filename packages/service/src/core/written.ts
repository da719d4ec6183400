/**
 * An open part of an answer as the service writes it: the members that the SDK names, and no others. Clients read the same
 * part with whatever members a newer service adds.
 */
export type Closed<Part> = Part extends string | number | boolean | null | undefined
  ? Part
  : Part extends readonly (infer Element)[]
    ? readonly Closed<Element>[]
    : { readonly [Name in keyof Part as string extends Name ? never : Name]: Closed<Part[Name]> }

/** As `Closed`, with every member that informs given. */
type Complete<Part> = { readonly [Name in keyof Closed<Part>]-?: Exclude<Closed<Part>[Name], undefined> }

/** What a backend writes into the `backend` of its quotes; the type parameter is that backend in the SDK. */
export type Presentation<Backend extends { readonly tracking: object; readonly metadata: object }> = {
  readonly tracking: Complete<Backend['tracking']>
  readonly metadata: Complete<Backend['metadata']>
}
