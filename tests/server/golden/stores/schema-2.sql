BEGIN TRANSACTION;
CREATE TABLE identity (
    who TEXT PRIMARY KEY, name TEXT NOT NULL, kind TEXT NOT NULL, token TEXT, previous TEXT, key TEXT,
    banned INTEGER NOT NULL, muted INTEGER NOT NULL, house INTEGER NOT NULL
) WITHOUT ROWID;
INSERT INTO "identity" VALUES('10d32d04e43aad92','bert','bot','c5f74783233d755eb68041bc15ad4bca45dc27083bb525f740b7f1e57b3f18b3',NULL,NULL,0,0,0);
INSERT INTO "identity" VALUES('b1950146e37f535a','anna','human','da70af9d81f1cb9da60a6c5881a148fd4e9ec242e2ad66d25a1f7580483d3876',NULL,'b0ae2dead9d669187f368ab4962de83cc1c7051b1f2b7f3976d7c76258c97f3a',0,0,0);
CREATE TABLE match (
    digest TEXT PRIMARY KEY, room TEXT NOT NULL, game TEXT NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL,
    rated INTEGER NOT NULL, ended INTEGER NOT NULL
) WITHOUT ROWID;
INSERT INTO "match" VALUES('6840138d8be28e1a15ba78b06ea64b31eb889bfcffcb367a29b98a4538ab8d1b','337G','uno',4,40,1,1795253729);
CREATE TABLE rating (
    who TEXT, game TEXT, name TEXT NOT NULL, kind TEXT NOT NULL, mu REAL NOT NULL, sigma REAL NOT NULL,
    shown INTEGER NOT NULL, PRIMARY KEY (who, game)
) WITHOUT ROWID;
INSERT INTO "rating" VALUES('10d32d04e43aad92','uno','bert','bot',2.23646105068595026912e+01,8.06590141354368,1456);
INSERT INTO "rating" VALUES('b1950146e37f535a','uno','anna','human',2.76353894931404973087e+01,8.06590141354368,1583);
CREATE TABLE record (room TEXT, n INTEGER, line TEXT NOT NULL, PRIMARY KEY (room, n)) WITHOUT ROWID;
INSERT INTO "record" VALUES('337G',0,'{"at":0,"code":"337G","game":"uno","hints":true,"kept":false,"kinds":"any","master":"846b57420d146c41c34c6a9333524bb1aade968e44f331cf983bdec4e3a1dabe","n":0,"options":{"breath":0,"call_penalty":2,"draw_until":false,"false_call_penalty":0,"first_card_number_only":false,"force_play":false,"jump_in":false,"multi_play":false,"no_bluff":false,"pause":5000,"preset":"official","scoring":"single","seven_zero":false,"stack2":false,"stack4":false,"stack_cross":false,"strict_wild4":false,"target":500},"private":false,"r":"opened","seats":2,"standin":false,"start":"host","version":1,"watch":true}');
INSERT INTO "record" VALUES('337G',1,'{"at":0,"kind":"human","n":1,"name":"anna","r":"taken","seat":0,"who":"b1950146e37f535a"}');
INSERT INTO "record" VALUES('337G',2,'{"at":0,"n":2,"r":"host","who":"b1950146e37f535a"}');
INSERT INTO "record" VALUES('337G',3,'{"at":13,"kind":"bot","n":3,"name":"bert","r":"taken","seat":1,"who":"10d32d04e43aad92"}');
INSERT INTO "record" VALUES('337G',4,'{"at":16,"banks":[0,0],"commit":"79db88ec3be7934ce81a4ba675958485f839863c6e8bb425ab3b82b7dac77649","context":"337G/1","game":"uno","match":1,"n":4,"nonces":["",""],"options":{"breath":0,"call_penalty":2,"draw_until":false,"false_call_penalty":0,"first_card_number_only":false,"force_play":false,"jump_in":false,"multi_play":false,"no_bluff":false,"pause":5000,"preset":"official","scoring":"single","seven_zero":false,"stack2":false,"stack4":false,"stack_cross":false,"strict_wild4":false,"target":500},"players":[{"kind":"human","name":"anna","who":"b1950146e37f535a"},{"kind":"bot","name":"bert","who":"10d32d04e43aad92"}],"r":"begun","rids":[1,1],"room":1,"rules":1,"secret":"747d42de3d6a52929e21e5db2f0663fb67c12cf76f9f0797e3a2eb3ba7ee927b"}');
INSERT INTO "record" VALUES('337G',5,'{"act":{"card":41,"do":"play"},"at":29,"n":5,"r":"act","rid":1,"seat":1}');
INSERT INTO "record" VALUES('337G',6,'{"act":{"card":28,"do":"play"},"at":36,"n":6,"r":"act","rid":1,"seat":0}');
INSERT INTO "record" VALUES('337G',7,'{"act":{"card":53,"do":"play"},"at":40,"n":7,"r":"act","rid":2,"seat":1}');
INSERT INTO "record" VALUES('337G',8,'{"act":{"card":57,"do":"play"},"at":42,"n":8,"r":"act","rid":2,"seat":0}');
INSERT INTO "record" VALUES('337G',9,'{"act":{"card":56,"do":"play"},"at":48,"n":9,"r":"act","rid":3,"seat":1}');
INSERT INTO "record" VALUES('337G',10,'{"act":{"card":62,"do":"play"},"at":52,"n":10,"r":"act","rid":3,"seat":0}');
INSERT INTO "record" VALUES('337G',11,'{"act":{"card":63,"do":"play"},"at":56,"n":11,"r":"act","rid":4,"seat":1}');
INSERT INTO "record" VALUES('337G',12,'{"act":{"card":106,"colour":"red","do":"play"},"at":60,"n":12,"r":"act","rid":4,"seat":0}');
INSERT INTO "record" VALUES('337G',13,'{"act":{"do":"accept"},"at":64,"n":13,"r":"act","rid":5,"seat":1}');
INSERT INTO "record" VALUES('337G',14,'{"act":{"card":0,"do":"play"},"at":68,"n":14,"r":"act","rid":5,"seat":0}');
INSERT INTO "record" VALUES('337G',15,'{"act":{"card":9,"do":"play"},"at":72,"n":15,"r":"act","rid":6,"seat":1}');
INSERT INTO "record" VALUES('337G',16,'{"act":{"card":20,"do":"play","uno":true},"at":76,"n":16,"r":"act","rid":6,"seat":0}');
INSERT INTO "record" VALUES('337G',17,'{"act":{"do":"draw"},"at":78,"n":17,"r":"act","rid":7,"seat":0}');
INSERT INTO "record" VALUES('337G',18,'{"act":{"do":"pass"},"at":84,"n":18,"r":"act","rid":8,"seat":0}');
INSERT INTO "record" VALUES('337G',19,'{"act":{"card":69,"do":"play"},"at":88,"n":19,"r":"act","rid":7,"seat":1}');
INSERT INTO "record" VALUES('337G',20,'{"act":{"card":58,"do":"play"},"at":92,"n":20,"r":"act","rid":8,"seat":1}');
INSERT INTO "record" VALUES('337G',21,'{"act":{"do":"draw"},"at":100,"n":21,"r":"act","rid":9,"seat":0}');
INSERT INTO "record" VALUES('337G',22,'{"act":{"do":"pass"},"at":112,"n":22,"r":"act","rid":10,"seat":0}');
INSERT INTO "record" VALUES('337G',23,'{"act":{"card":64,"do":"play"},"at":120,"n":23,"r":"act","rid":9,"seat":1}');
INSERT INTO "record" VALUES('337G',24,'{"act":{"do":"draw"},"at":128,"n":24,"r":"act","rid":11,"seat":0}');
INSERT INTO "record" VALUES('337G',25,'{"act":{"do":"pass"},"at":136,"n":25,"r":"act","rid":12,"seat":0}');
INSERT INTO "record" VALUES('337G',26,'{"act":{"do":"draw"},"at":143,"n":26,"r":"act","rid":10,"seat":1}');
INSERT INTO "record" VALUES('337G',27,'{"act":{"do":"pass"},"at":152,"n":27,"r":"act","rid":11,"seat":1}');
INSERT INTO "record" VALUES('337G',28,'{"act":{"do":"draw"},"at":156,"n":28,"r":"act","rid":13,"seat":0}');
INSERT INTO "record" VALUES('337G',29,'{"act":{"card":54,"do":"play"},"at":164,"n":29,"r":"act","rid":14,"seat":0}');
INSERT INTO "record" VALUES('337G',30,'{"act":{"card":78,"do":"play"},"at":172,"n":30,"r":"act","rid":12,"seat":1}');
INSERT INTO "record" VALUES('337G',31,'{"act":{"card":91,"do":"play"},"at":179,"n":31,"r":"act","rid":15,"seat":0}');
INSERT INTO "record" VALUES('337G',32,'{"act":{"card":83,"do":"play"},"at":188,"n":32,"r":"act","rid":13,"seat":1}');
INSERT INTO "record" VALUES('337G',33,'{"act":{"card":97,"do":"play"},"at":196,"n":33,"r":"act","rid":16,"seat":0}');
INSERT INTO "record" VALUES('337G',34,'{"act":{"do":"draw"},"at":204,"n":34,"r":"act","rid":17,"seat":0}');
INSERT INTO "record" VALUES('337G',35,'{"act":{"card":22,"do":"play"},"at":212,"n":35,"r":"act","rid":18,"seat":0}');
INSERT INTO "record" VALUES('337G',36,'{"act":{"card":10,"do":"play","uno":true},"at":220,"n":36,"r":"act","rid":19,"seat":0}');
INSERT INTO "record" VALUES('337G',37,'{"act":{"do":"draw"},"at":228,"n":37,"r":"act","rid":14,"seat":1}');
INSERT INTO "record" VALUES('337G',38,'{"act":{"do":"pass"},"at":232,"n":38,"r":"act","rid":15,"seat":1}');
INSERT INTO "record" VALUES('337G',39,'{"act":{"card":16,"do":"play"},"at":240,"n":39,"r":"act","rid":20,"seat":0}');
INSERT INTO "record" VALUES('337G',40,'{"at":240,"n":40,"r":"over","ranks":[1,2],"scores":[38,0],"state":"778e6d4c9e4d5b9df409697d32da9bcafe9a3e64a2f698b1d6e34a3c774028bb","why":"round"}');
INSERT INTO "record" VALUES('337G',41,'{"at":244,"banks":[0,0],"commit":"4493ecffcc5046e04fe8a0132d7685c266f4912fbefac6513213460e459faff1","context":"337G/2","game":"uno","match":2,"n":41,"nonces":["",""],"options":{"breath":0,"call_penalty":2,"draw_until":false,"false_call_penalty":0,"first_card_number_only":false,"force_play":false,"jump_in":false,"multi_play":false,"no_bluff":false,"pause":5000,"preset":"official","scoring":"single","seven_zero":false,"stack2":false,"stack4":false,"stack_cross":false,"strict_wild4":false,"target":500},"players":[{"kind":"human","name":"anna","who":"b1950146e37f535a"},{"kind":"bot","name":"bert","who":"10d32d04e43aad92"}],"r":"begun","rids":[21,16],"room":1,"rules":1,"secret":"93da76cb78120fb650688457fb252b698bcbf728dcc02ae0c37b6786a6459798"}');
INSERT INTO "record" VALUES('337G',42,'{"act":{"card":9,"do":"play"},"at":257,"n":42,"r":"act","rid":21,"seat":0}');
INSERT INTO "record" VALUES('337G',43,'{"act":{"card":104,"colour":"red","do":"play"},"at":264,"n":43,"r":"act","rid":16,"seat":1}');
INSERT INTO "record" VALUES('337G',44,'{"act":{"do":"accept"},"at":268,"n":44,"r":"act","rid":22,"seat":0}');
INSERT INTO "record" VALUES('337G',45,'{"act":{"do":"draw"},"at":272,"n":45,"r":"act","rid":17,"seat":1}');
INSERT INTO "record" VALUES('337G',46,'{"act":{"card":23,"do":"play"},"at":276,"n":46,"r":"act","rid":18,"seat":1}');
INSERT INTO "record" VALUES('337G',47,'{"act":{"do":"draw"},"at":279,"n":47,"r":"act","rid":19,"seat":1}');
INSERT INTO "record" VALUES('337G',48,'{"act":{"card":7,"do":"play"},"at":284,"n":48,"r":"act","rid":20,"seat":1}');
INSERT INTO "record" VALUES('337G',49,'{"act":{"card":16,"do":"play"},"at":288,"n":49,"r":"act","rid":23,"seat":0}');
INSERT INTO "record" VALUES('GW69',0,'{"at":0,"clock":{"add":15000,"bank":60000},"code":"GW69","game":"uno","hints":true,"kept":true,"kinds":"any","master":"5df9116c91e403c1627041fc65ac2c1c72dfbf5aeab5e2df094141d814c6041b","n":0,"options":{"breath":750,"call_penalty":2,"draw_until":false,"false_call_penalty":0,"first_card_number_only":false,"force_play":false,"jump_in":false,"multi_play":false,"no_bluff":false,"pause":5000,"preset":"official","scoring":"race","seven_zero":false,"stack2":false,"stack4":false,"stack_cross":false,"strict_wild4":false,"target":500},"private":false,"r":"opened","seats":10,"standin":true,"start":"host","version":1,"watch":true}');
CREATE TABLE result (
    digest TEXT, seat INTEGER, who TEXT NOT NULL, name TEXT NOT NULL, kind TEXT NOT NULL, rank INTEGER NOT NULL,
    score INTEGER NOT NULL, PRIMARY KEY (digest, seat)
) WITHOUT ROWID;
INSERT INTO "result" VALUES('6840138d8be28e1a15ba78b06ea64b31eb889bfcffcb367a29b98a4538ab8d1b',0,'b1950146e37f535a','anna','human',1,38);
INSERT INTO "result" VALUES('6840138d8be28e1a15ba78b06ea64b31eb889bfcffcb367a29b98a4538ab8d1b',1,'10d32d04e43aad92','bert','bot',2,0);
CREATE TABLE room (
    code TEXT PRIMARY KEY, epoch INTEGER NOT NULL, open INTEGER NOT NULL, kept INTEGER NOT NULL
) WITHOUT ROWID;
INSERT INTO "room" VALUES('337G',1,1,0);
INSERT INTO "room" VALUES('GW69',1,1,1);
CREATE TABLE seat (room TEXT, who TEXT, PRIMARY KEY (room, who)) WITHOUT ROWID;
INSERT INTO "seat" VALUES('337G','10d32d04e43aad92');
INSERT INTO "seat" VALUES('337G','b1950146e37f535a');
COMMIT;
PRAGMA user_version = 2;
