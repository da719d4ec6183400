/** Why no backend has priced a pair, by the parts that the service says do not serve. */
export const waitingText = (absent: readonly string[]): string => {
  if (absent.includes('start')) return 'The service is starting. Quotes appear by themselves.'
  if (absent.some((part) => part.startsWith('solver ')))
    return 'Solvers are connecting. Their quotes appear by themselves.'
  return 'No backend can price this pair at the moment. The page asks for new quotes by itself.'
}
