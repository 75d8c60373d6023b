// What is said while code is compiled.

export const PREPARING = "Preparing: code is compiled once";
export const LONG = `${PREPARING}, which takes a minute or more…`;
