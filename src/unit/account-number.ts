// Numbers of users and groups.

/** Docker takes none beyond; 2^32 - 1 stands for "as before" in Linux, which for root is root. */
export const greatestAccount = 2 ** 31 - 1

/** Whether digits are the number of a user or a group that a program can run as. */
export function isAccountNumber(text: string): boolean {
  return /^[0-9]{1,10}$/.test(text) && Number(text) <= greatestAccount
}
