BEGIN TRANSACTION;
CREATE TABLE identity (
    who TEXT PRIMARY KEY, name TEXT NOT NULL, kind TEXT NOT NULL, token TEXT, previous TEXT, key TEXT,
    banned INTEGER NOT NULL, muted INTEGER NOT NULL, house INTEGER NOT NULL
) WITHOUT ROWID;
INSERT INTO "identity" VALUES('a5067a9afa3793e7','anna','human','0d5d0e04523f9058a088a0ef14181c67a488d0a388a6809e0faa44712587a32a',NULL,'b0ae2dead9d669187f368ab4962de83cc1c7051b1f2b7f3976d7c76258c97f3a',0,0,0);
INSERT INTO "identity" VALUES('c2672c5150a623bf','bert','bot','f10ccabe5af615b1314fb4eaf29450c129f41c03cabfb09d96af179b3b2555bb',NULL,NULL,0,0,0);
CREATE TABLE match (
    digest TEXT PRIMARY KEY, room TEXT NOT NULL, game TEXT NOT NULL, first INTEGER NOT NULL, last INTEGER NOT NULL,
    rated INTEGER NOT NULL, ended INTEGER NOT NULL
) WITHOUT ROWID;
INSERT INTO "match" VALUES('28c93d4af45475590ba64e13eaadfe27b89d83cf6be3f89e03135dc19cb10278','9PHQ','uno',4,79,1,1795253728);
CREATE TABLE record (room TEXT, n INTEGER, line TEXT NOT NULL, PRIMARY KEY (room, n)) WITHOUT ROWID;
INSERT INTO "record" VALUES('9PHQ',0,'{"at":0,"code":"9PHQ","game":"uno","hints":true,"kept":false,"kinds":"any","master":"e6b25ad7b852352740fcd57da45519b35c7f4fa1d4c336295af169bbf4409189","n":0,"options":{"breath":0,"call_penalty":2,"first_card_number_only":false,"no_bluff":false,"pause":5000,"scoring":"single","strict_wild4":false,"target":500},"private":false,"r":"opened","seats":2,"standin":false,"start":"host","version":1,"watch":true}');
INSERT INTO "record" VALUES('9PHQ',1,'{"at":0,"kind":"human","n":1,"name":"anna","r":"taken","seat":0,"who":"a5067a9afa3793e7"}');
INSERT INTO "record" VALUES('9PHQ',2,'{"at":0,"n":2,"r":"host","who":"a5067a9afa3793e7"}');
INSERT INTO "record" VALUES('9PHQ',3,'{"at":4,"kind":"bot","n":3,"name":"bert","r":"taken","seat":1,"who":"c2672c5150a623bf"}');
INSERT INTO "record" VALUES('9PHQ',4,'{"at":12,"banks":[0,0],"commit":"c1e8d12354eff7b20d1ac5d2cea87362201f92b25984011ca620b9884a1f1f1e","context":"9PHQ/1","game":"uno","match":1,"n":4,"nonces":["",""],"options":{"breath":0,"call_penalty":2,"first_card_number_only":false,"no_bluff":false,"pause":5000,"scoring":"single","strict_wild4":false,"target":500},"players":[{"kind":"human","name":"anna","who":"a5067a9afa3793e7"},{"kind":"bot","name":"bert","who":"c2672c5150a623bf"}],"r":"begun","rids":[1,1],"room":1,"rules":1,"secret":"708ae0af323500166aa61109b905e38546e8a8a311a6440f314873fb0a5d7f19"}');
INSERT INTO "record" VALUES('9PHQ',5,'{"act":{"card":38,"do":"play"},"at":17,"n":5,"r":"act","rid":1,"seat":1}');
INSERT INTO "record" VALUES('9PHQ',6,'{"act":{"card":37,"do":"play"},"at":24,"n":6,"r":"act","rid":1,"seat":0}');
INSERT INTO "record" VALUES('9PHQ',7,'{"act":{"card":101,"colour":"red","do":"play"},"at":28,"n":7,"r":"act","rid":2,"seat":1}');
INSERT INTO "record" VALUES('9PHQ',8,'{"act":{"card":103,"colour":"red","do":"play"},"at":32,"n":8,"r":"act","rid":2,"seat":0}');
INSERT INTO "record" VALUES('9PHQ',9,'{"act":{"card":6,"do":"play"},"at":36,"n":9,"r":"act","rid":3,"seat":1}');
INSERT INTO "record" VALUES('9PHQ',10,'{"act":{"card":55,"do":"play"},"at":40,"n":10,"r":"act","rid":3,"seat":0}');
INSERT INTO "record" VALUES('9PHQ',11,'{"act":{"card":60,"do":"play"},"at":44,"n":11,"r":"act","rid":4,"seat":1}');
INSERT INTO "record" VALUES('9PHQ',12,'{"act":{"card":51,"do":"play"},"at":48,"n":12,"r":"act","rid":4,"seat":0}');
INSERT INTO "record" VALUES('9PHQ',13,'{"act":{"card":67,"do":"play"},"at":52,"n":13,"r":"act","rid":5,"seat":1}');
INSERT INTO "record" VALUES('9PHQ',14,'{"act":{"card":42,"do":"play"},"at":56,"n":14,"r":"act","rid":5,"seat":0}');
INSERT INTO "record" VALUES('9PHQ',15,'{"act":{"do":"draw"},"at":59,"n":15,"r":"act","rid":6,"seat":1}');
INSERT INTO "record" VALUES('9PHQ',16,'{"act":{"do":"pass"},"at":64,"n":16,"r":"act","rid":7,"seat":1}');
INSERT INTO "record" VALUES('9PHQ',17,'{"act":{"do":"draw"},"at":68,"n":17,"r":"act","rid":6,"seat":0}');
INSERT INTO "record" VALUES('9PHQ',18,'{"act":{"card":47,"do":"play"},"at":72,"n":18,"r":"act","rid":7,"seat":0}');
INSERT INTO "record" VALUES('9PHQ',19,'{"act":{"do":"draw"},"at":76,"n":19,"r":"act","rid":8,"seat":0}');
INSERT INTO "record" VALUES('9PHQ',20,'{"act":{"card":44,"do":"play"},"at":80,"n":20,"r":"act","rid":9,"seat":0}');
INSERT INTO "record" VALUES('9PHQ',21,'{"act":{"do":"draw"},"at":84,"n":21,"r":"act","rid":10,"seat":0}');
INSERT INTO "record" VALUES('9PHQ',22,'{"act":{"do":"pass"},"at":92,"n":22,"r":"act","rid":11,"seat":0}');
INSERT INTO "record" VALUES('9PHQ',23,'{"act":{"do":"draw"},"at":98,"n":23,"r":"act","rid":8,"seat":1}');
INSERT INTO "record" VALUES('9PHQ',24,'{"act":{"card":26,"do":"play"},"at":104,"n":24,"r":"act","rid":9,"seat":1}');
INSERT INTO "record" VALUES('9PHQ',25,'{"act":{"do":"draw"},"at":109,"n":25,"r":"act","rid":12,"seat":0}');
INSERT INTO "record" VALUES('9PHQ',26,'{"act":{"do":"pass"},"at":120,"n":26,"r":"act","rid":13,"seat":0}');
INSERT INTO "record" VALUES('9PHQ',27,'{"act":{"do":"draw"},"at":128,"n":27,"r":"act","rid":10,"seat":1}');
INSERT INTO "record" VALUES('9PHQ',28,'{"act":{"card":40,"do":"play"},"at":136,"n":28,"r":"act","rid":11,"seat":1}');
INSERT INTO "record" VALUES('9PHQ',29,'{"act":{"card":90,"do":"play"},"at":144,"n":29,"r":"act","rid":14,"seat":0}');
INSERT INTO "record" VALUES('9PHQ',30,'{"act":{"card":80,"do":"play"},"at":152,"n":30,"r":"act","rid":12,"seat":1}');
INSERT INTO "record" VALUES('9PHQ',31,'{"act":{"card":98,"do":"play"},"at":159,"n":31,"r":"act","rid":15,"seat":0}');
INSERT INTO "record" VALUES('9PHQ',32,'{"act":{"card":24,"do":"play","uno":true},"at":168,"n":32,"r":"act","rid":16,"seat":0}');
INSERT INTO "record" VALUES('9PHQ',33,'{"act":{"do":"draw"},"at":176,"n":33,"r":"act","rid":17,"seat":0}');
INSERT INTO "record" VALUES('9PHQ',34,'{"act":{"do":"pass"},"at":184,"n":34,"r":"act","rid":18,"seat":0}');
INSERT INTO "record" VALUES('9PHQ',35,'{"act":{"card":13,"do":"play"},"at":192,"n":35,"r":"act","rid":13,"seat":1}');
INSERT INTO "record" VALUES('9PHQ',36,'{"act":{"do":"draw"},"at":198,"n":36,"r":"act","rid":19,"seat":0}');
INSERT INTO "record" VALUES('9PHQ',37,'{"act":{"do":"pass"},"at":208,"n":37,"r":"act","rid":20,"seat":0}');
INSERT INTO "record" VALUES('9PHQ',38,'{"act":{"do":"draw"},"at":212,"n":38,"r":"act","rid":14,"seat":1}');
INSERT INTO "record" VALUES('9PHQ',39,'{"act":{"do":"pass"},"at":220,"n":39,"r":"act","rid":15,"seat":1}');
INSERT INTO "record" VALUES('9PHQ',40,'{"act":{"do":"draw"},"at":228,"n":40,"r":"act","rid":21,"seat":0}');
INSERT INTO "record" VALUES('9PHQ',41,'{"act":{"card":12,"do":"play"},"at":236,"n":41,"r":"act","rid":22,"seat":0}');
INSERT INTO "record" VALUES('9PHQ',42,'{"act":{"do":"draw"},"at":244,"n":42,"r":"act","rid":16,"seat":1}');
INSERT INTO "record" VALUES('9PHQ',43,'{"act":{"do":"pass"},"at":252,"n":43,"r":"act","rid":17,"seat":1}');
INSERT INTO "record" VALUES('9PHQ',44,'{"act":{"do":"draw"},"at":259,"n":44,"r":"act","rid":23,"seat":0}');
INSERT INTO "record" VALUES('9PHQ',45,'{"act":{"card":100,"colour":"red","do":"play"},"at":268,"n":45,"r":"act","rid":24,"seat":0}');
INSERT INTO "record" VALUES('9PHQ',46,'{"act":{"do":"draw"},"at":276,"n":46,"r":"act","rid":18,"seat":1}');
INSERT INTO "record" VALUES('9PHQ',47,'{"act":{"card":106,"colour":"red","do":"play"},"at":284,"n":47,"r":"act","rid":19,"seat":1}');
INSERT INTO "record" VALUES('9PHQ',48,'{"act":{"do":"accept"},"at":292,"n":48,"r":"act","rid":25,"seat":0}');
INSERT INTO "record" VALUES('9PHQ',49,'{"act":{"do":"draw"},"at":296,"n":49,"r":"act","rid":20,"seat":1}');
INSERT INTO "record" VALUES('9PHQ',50,'{"act":{"card":17,"do":"play"},"at":298,"n":50,"r":"act","rid":21,"seat":1}');
INSERT INTO "record" VALUES('9PHQ',51,'{"act":{"card":0,"do":"play"},"at":304,"n":51,"r":"act","rid":26,"seat":0}');
INSERT INTO "record" VALUES('9PHQ',52,'{"act":{"card":75,"do":"play"},"at":308,"n":52,"r":"act","rid":22,"seat":1}');
INSERT INTO "record" VALUES('9PHQ',53,'{"act":{"card":76,"do":"play"},"at":312,"n":53,"r":"act","rid":27,"seat":0}');
INSERT INTO "record" VALUES('9PHQ',54,'{"act":{"card":82,"do":"play"},"at":316,"n":54,"r":"act","rid":23,"seat":1}');
INSERT INTO "record" VALUES('9PHQ',55,'{"act":{"card":83,"do":"play"},"at":320,"n":55,"r":"act","rid":28,"seat":0}');
INSERT INTO "record" VALUES('9PHQ',56,'{"act":{"card":85,"do":"play"},"at":324,"n":56,"r":"act","rid":24,"seat":1}');
INSERT INTO "record" VALUES('9PHQ',57,'{"act":{"card":59,"do":"play"},"at":328,"n":57,"r":"act","rid":29,"seat":0}');
INSERT INTO "record" VALUES('9PHQ',58,'{"act":{"card":68,"do":"play"},"at":332,"n":58,"r":"act","rid":25,"seat":1}');
INSERT INTO "record" VALUES('9PHQ',59,'{"act":{"card":72,"do":"play"},"at":336,"n":59,"r":"act","rid":30,"seat":0}');
INSERT INTO "record" VALUES('9PHQ',60,'{"act":{"do":"draw"},"at":340,"n":60,"r":"act","rid":31,"seat":0}');
INSERT INTO "record" VALUES('9PHQ',61,'{"act":{"card":70,"do":"play"},"at":344,"n":61,"r":"act","rid":32,"seat":0}');
INSERT INTO "record" VALUES('9PHQ',62,'{"act":{"do":"draw"},"at":348,"n":62,"r":"act","rid":33,"seat":0}');
INSERT INTO "record" VALUES('9PHQ',63,'{"act":{"card":45,"do":"play"},"at":352,"n":63,"r":"act","rid":34,"seat":0}');
INSERT INTO "record" VALUES('9PHQ',64,'{"act":{"do":"draw"},"at":356,"n":64,"r":"act","rid":35,"seat":0}');
INSERT INTO "record" VALUES('9PHQ',65,'{"act":{"do":"pass"},"at":359,"n":65,"r":"act","rid":36,"seat":0}');
INSERT INTO "record" VALUES('9PHQ',66,'{"act":{"card":29,"do":"play"},"at":364,"n":66,"r":"act","rid":26,"seat":1}');
INSERT INTO "record" VALUES('9PHQ',67,'{"act":{"do":"draw"},"at":368,"n":67,"r":"act","rid":37,"seat":0}');
INSERT INTO "record" VALUES('9PHQ',68,'{"act":{"card":34,"do":"play"},"at":372,"n":68,"r":"act","rid":38,"seat":0}');
INSERT INTO "record" VALUES('9PHQ',69,'{"act":{"card":46,"do":"play","uno":true},"at":376,"n":69,"r":"act","rid":27,"seat":1}');
INSERT INTO "record" VALUES('9PHQ',70,'{"act":{"do":"draw"},"at":380,"n":70,"r":"act","rid":28,"seat":1}');
INSERT INTO "record" VALUES('9PHQ',71,'{"act":{"card":97,"do":"play","uno":true},"at":384,"n":71,"r":"act","rid":29,"seat":1}');
INSERT INTO "record" VALUES('9PHQ',72,'{"act":{"do":"draw"},"at":388,"n":72,"r":"act","rid":30,"seat":1}');
INSERT INTO "record" VALUES('9PHQ',73,'{"act":{"do":"pass"},"at":392,"n":73,"r":"act","rid":31,"seat":1}');
INSERT INTO "record" VALUES('9PHQ',74,'{"act":{"card":91,"do":"play"},"at":396,"n":74,"r":"act","rid":39,"seat":0}');
INSERT INTO "record" VALUES('9PHQ',75,'{"act":{"do":"draw"},"at":398,"n":75,"r":"act","rid":32,"seat":1}');
INSERT INTO "record" VALUES('9PHQ',76,'{"act":{"do":"pass"},"at":400,"n":76,"r":"act","rid":33,"seat":1}');
INSERT INTO "record" VALUES('9PHQ',77,'{"act":{"card":99,"do":"play","uno":true},"at":404,"n":77,"r":"act","rid":40,"seat":0}');
INSERT INTO "record" VALUES('9PHQ',78,'{"act":{"card":23,"do":"play"},"at":408,"n":78,"r":"act","rid":41,"seat":0}');
INSERT INTO "record" VALUES('9PHQ',79,'{"at":408,"n":79,"r":"over","ranks":[1,2],"scores":[123,0],"state":"3353b287e8beb4c5fe6292a10629c481967916412476f3e7141c7b08ddd7ef91","why":"round"}');
INSERT INTO "record" VALUES('9PHQ',80,'{"at":412,"banks":[0,0],"commit":"36f8804ee23d28d5e07eba6d5ba5a1e043dc032b9c549edc8384bbc731416ae1","context":"9PHQ/2","game":"uno","match":2,"n":80,"nonces":["",""],"options":{"breath":0,"call_penalty":2,"first_card_number_only":false,"no_bluff":false,"pause":5000,"scoring":"single","strict_wild4":false,"target":500},"players":[{"kind":"human","name":"anna","who":"a5067a9afa3793e7"},{"kind":"bot","name":"bert","who":"c2672c5150a623bf"}],"r":"begun","rids":[42,34],"room":1,"rules":1,"secret":"9aba531cd3dbe69092ad7a4da065bcd9e9d8b1e0b532bf5e93425ad77e5236fc"}');
INSERT INTO "record" VALUES('9PHQ',81,'{"act":{"card":99,"do":"play"},"at":416,"n":81,"r":"act","rid":34,"seat":1}');
INSERT INTO "record" VALUES('9PHQ',82,'{"act":{"card":24,"do":"play"},"at":420,"n":82,"r":"act","rid":35,"seat":1}');
INSERT INTO "record" VALUES('9PHQ',83,'{"act":{"card":1,"do":"play"},"at":424,"n":83,"r":"act","rid":36,"seat":1}');
INSERT INTO "record" VALUES('9PHQ',84,'{"act":{"card":19,"do":"play"},"at":428,"n":84,"r":"act","rid":42,"seat":0}');
INSERT INTO "record" VALUES('9PHQ',85,'{"act":{"card":23,"do":"play"},"at":432,"n":85,"r":"act","rid":43,"seat":0}');
INSERT INTO "record" VALUES('9PHQ',86,'{"act":{"card":48,"do":"play"},"at":436,"n":86,"r":"act","rid":44,"seat":0}');
INSERT INTO "record" VALUES('9PHQ',87,'{"act":{"card":32,"do":"play"},"at":440,"n":87,"r":"act","rid":45,"seat":0}');
INSERT INTO "record" VALUES('9PHQ',88,'{"act":{"card":26,"do":"play"},"at":444,"n":88,"r":"act","rid":37,"seat":1}');
INSERT INTO "record" VALUES('VPG3',0,'{"at":0,"clock":{"add":15000,"bank":60000},"code":"VPG3","game":"uno","hints":true,"kept":true,"kinds":"any","master":"928b984352fa59cb9fecdba3250a34fc26de020127a45750104e7b10a5c24f44","n":0,"options":{"breath":750,"call_penalty":2,"first_card_number_only":false,"no_bluff":false,"pause":5000,"scoring":"race","strict_wild4":false,"target":500},"private":false,"r":"opened","seats":10,"standin":true,"start":"host","version":1,"watch":true}');
CREATE TABLE result (
    digest TEXT, seat INTEGER, who TEXT NOT NULL, name TEXT NOT NULL, kind TEXT NOT NULL, rank INTEGER NOT NULL,
    score INTEGER NOT NULL, PRIMARY KEY (digest, seat)
) WITHOUT ROWID;
INSERT INTO "result" VALUES('28c93d4af45475590ba64e13eaadfe27b89d83cf6be3f89e03135dc19cb10278',0,'a5067a9afa3793e7','anna','human',1,123);
INSERT INTO "result" VALUES('28c93d4af45475590ba64e13eaadfe27b89d83cf6be3f89e03135dc19cb10278',1,'c2672c5150a623bf','bert','bot',2,0);
CREATE TABLE room (
    code TEXT PRIMARY KEY, epoch INTEGER NOT NULL, open INTEGER NOT NULL, kept INTEGER NOT NULL
) WITHOUT ROWID;
INSERT INTO "room" VALUES('9PHQ',1,1,0);
INSERT INTO "room" VALUES('VPG3',1,1,1);
CREATE TABLE seat (room TEXT, who TEXT, PRIMARY KEY (room, who)) WITHOUT ROWID;
INSERT INTO "seat" VALUES('9PHQ','a5067a9afa3793e7');
INSERT INTO "seat" VALUES('9PHQ','c2672c5150a623bf');
COMMIT;
PRAGMA user_version = 1;
