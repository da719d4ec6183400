/** A function that computes its value at the first call; an error is not remembered. */
export const once = <Value>(compute: () => Value): (() => Value) => {
  let computed: { readonly value: Value } | undefined
  return () => {
    computed ??= { value: compute() }
    return computed.value
  }
}
