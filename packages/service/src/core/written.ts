/**
 * An open part of an answer as the service writes it, with exactly the members that the SDK names. Clients accept
 * further members of newer services.
 */
export type Closed<Part> = Part extends string | number | boolean | null | undefined
  ? Part
  : Part extends readonly (infer Element)[]
    ? readonly Closed<Element>[]
    : { readonly [Name in keyof Part as string extends Name ? never : Name]: Closed<Part[Name]> }

/** Like `Closed`, with every informational member present. */
type Complete<Part> = { readonly [Name in keyof Closed<Part>]-?: Exclude<Closed<Part>[Name], undefined> }

/** The `backend` of a backend's quotes; the type parameter is that backend in the SDK. */
export type Presentation<Backend extends { readonly tracking: object; readonly metadata: object }> = {
  readonly tracking: Complete<Backend['tracking']>
  readonly metadata: Complete<Backend['metadata']>
}
