import{a}from"./part-K276LKTP.js";import"./part-AYHZPDM5.js";export{a as SAC_SPEC};
