import{Ia as a}from"./part-TPA57HRX.js";import"./part-JLMJS6XB.js";import"./part-AYHZPDM5.js";export{a as Client};
